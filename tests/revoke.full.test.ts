import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonView } from '@/lib/operations/people'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let secondInstance: Dashboard
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  const { url: serviceUrl, keys } = testStack.sandbox
  secondInstance = await startDashboard({
    serviceUrl,
    apiKey: keys.full,
    databaseUrl: testStack.postgres.url,
  })
  admin = await testStack.signIn('admin')
})
afterAll(async () => {
  await secondInstance?.stop()
  await testStack?.stop()
})

const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const createSignedOutCheck = (person: Person) => async () =>
  (await person.send('/api/sandbox/v1/accounts')).status === 401 ? true : null

/**
 * Checks that the person's session works, then ends it on another instance, and waits until the
 * session's own instance refuses it.
 */
async function waitUntilSignedOut(
  person: Person,
  endSession: () => Promise<{ status: number }>,
): Promise<void> {
  expect((await person.send('/api/sandbox/v1/accounts')).status).toBe(200)
  expect((await endSession()).status).toBe(200)
  await waitUntil('the session to be refused', createSignedOutCheck(person))
}

test('sessions that end on one instance are refused on another', async () => {
  const { data = [] } = (await admin.get<PersonView[]>('/api/sandbox/desk/people')).body
  const viewerId = data.find(({ email }) => email === 'viewer@paydesk.test')?.id
  await waitUntilSignedOut(await signIn(secondInstance.url, 'viewer'), () =>
    admin.ask('POST', `/api/sandbox/desk/people/${viewerId}/sessions/end`, toJsonInit({})),
  )
  const [firstSession, otherInstanceSession] = [
    await testStack.signIn('operator'),
    await signIn(secondInstance.url, 'operator'),
  ]
  await waitUntilSignedOut(otherInstanceSession, () =>
    firstSession.ask(
      'POST',
      '/api/sandbox/desk/profile/sessions/end',
      toJsonInit({ which: 'all' }),
    ),
  )
})
