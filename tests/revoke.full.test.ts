import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonView } from '@/lib/operations/people'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk
let secondInstance: Dashboard
let admin: Person

beforeAll(async () => {
  desk = await openSharedDesk()
  const { url: serviceUrl, keys } = desk.sandbox
  secondInstance = await startDashboard({ serviceUrl, apiKey: keys.full, databaseUrl: desk.postgres.url })
  admin = await desk.signIn('admin')
})
afterAll(async () => {
  await secondInstance?.stop()
  await desk?.stop()
})

const toJsonInit = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const isSignedOut = (person: Person) => async () => ((await person.send('/api/sandbox/v1/accounts')).status === 401 ? true : null)

/** Uses a session on another instance, ends it, and waits until that instance refuses it. */
async function waitUntilSignedOut(person: Person, end: () => Promise<{ status: number }>): Promise<void> {
  expect((await person.send('/api/sandbox/v1/accounts')).status).toBe(200)
  expect((await end()).status).toBe(200)
  await waitUntil('the session to be refused', isSignedOut(person))
}

test('sessions that end on one instance are refused on another', async () => {
  const { data = [] } = (await admin.get<PersonView[]>('/api/sandbox/desk/people')).body
  const id = data.find(({ email }) => email === 'viewer@paydesk.test')?.id
  await waitUntilSignedOut(await signIn(secondInstance.url, 'viewer'), () =>
    admin.ask('POST', `/api/sandbox/desk/people/${id}/sessions/end`, toJsonInit({})),
  )
  const [here, there] = [await desk.signIn('operator'), await signIn(secondInstance.url, 'operator')]
  await waitUntilSignedOut(there, () => here.ask('POST', '/api/sandbox/desk/profile/sessions/end', toJsonInit({ which: 'all' })))
})
