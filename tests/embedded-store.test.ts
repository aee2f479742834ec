import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { type Person, signIn } from './harness/person'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let dashboardAndStore: DeskAndStore
let operator: Person

beforeAll(async () => {
  sandbox = await startSandbox()
  dashboardAndStore = await startDeskAndStore('PGlite', {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
  })
  operator = await signIn(dashboardAndStore.dashboard.url)
})
afterAll(async () => {
  await dashboardAndStore?.stop()
  await sandbox?.stop()
})

const listSentReleases = async ({ id }: MadePayout) =>
  (await sandbox.requests()).filter(({ method, path }) => method === 'PUT' && path.includes(id))

const readAction = async ({ id }: MadePayout) => {
  const [action] = await dashboardAndStore.sql(
    `select state, reason from actions where target = 'payouts/${id}'`,
  )
  return action
}

const readAuditCodes = async ({ id }: MadePayout) =>
  (
    await dashboardAndStore.sql(
      `select body::json ->> 'code' as code from audit where body::json ->> 'target' = 'payouts/${id}' order by seq`,
    )
  ).map(({ code }) => code)

test('after kill -9 an earlier release is stored, the pending one is sent again, and each has one effect', async () => {
  const [released, cut] = [await sandbox.makePayout(), await sandbox.makePayout()]
  expect((await operator.decide('release', released)).body.action?.state).toBe('applied')
  await sandbox.fault({
    operation: 'payouts.release',
    match: cut.id,
    kind: 'delay',
    ms: 3000,
    at: 'before',
  })
  const lostReplyPromise = operator.decide('release', cut).catch(() => null)
  await waitUntil('the call', async () => ((await listSentReleases(cut)).length > 0 ? true : null))
  await dashboardAndStore.dashboard.kill9()
  await dashboardAndStore.dashboard.restart()
  await lostReplyPromise

  const viewer = await signIn(dashboardAndStore.dashboard.url, 'viewer')
  const settledState = await waitUntil('the resolver', async () => {
    const { body } = await viewer.get<ActionView[]>(
      `/api/sandbox/desk/actions?target=payouts/${cut.id}`,
    )
    const actionState = body.data?.[0]?.state ?? 'none'
    return ['sending', 'unknown', 'none'].includes(actionState) ? null : actionState
  })
  expect(settledState).toBe('applied')
  expect(await sandbox.journal(cut.id)).toHaveLength(1)
  const sentReleases = await listSentReleases(cut)
  expect(sentReleases.length).toBeGreaterThan(1)
  expect(new Set(sentReleases.map((row) => row.idempotency_key)).size).toBe(1)

  expect(await readAction(released)).toMatchObject({ state: 'applied' })
  expect(await readAuditCodes(released)).toEqual([
    'payouts.release.start',
    'payouts.release.applied',
  ])
  expect((await dashboardAndStore.verify()).bad).toBeNull()
  expect(await sandbox.journal(released.id)).toHaveLength(1)
  expect(await listSentReleases(released)).toHaveLength(1)
})
