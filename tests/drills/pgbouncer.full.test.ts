import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from '@/tests/harness/dashboard'
import { followChanges } from '@/tests/harness/follow-changes'
import { type Person, signIn } from '@/tests/harness/person'
import { startPgBouncer } from '@/tests/harness/pgbouncer'
import { type Postgres, startPostgres } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'

let sandbox: Sandbox
let postgres: Postgres
let pooler: Awaited<ReturnType<typeof startPgBouncer>>
let instances: Dashboard[]

const startInstance = (env: Record<string, string>) =>
  startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: pooler.url,
    env,
  })

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  pooler = await startPgBouncer(postgres.url)
  instances = [
    await startInstance({ DATABASE_LISTEN_URL: postgres.url }),
    await startInstance({ DATABASE_LISTEN_URL: postgres.url }),
  ]
})
afterAll(async () => {
  for (const instance of instances ?? []) await instance.stop()
  await pooler?.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

const getInstance = (instanceIndex: number): Dashboard => instances[instanceIndex] as Dashboard

/**
 * Cancels a payout through the first instance. Expects that a page that is open at the second
 * instance receives the change.
 */
async function cancelAndExpectChange(operator: Person, watcher: Person): Promise<void> {
  const changeFeed = await followChanges(watcher)
  const payout = await sandbox.makePayout()
  expect((await operator.decide('cancel', payout)).status).toBe(200)
  await changeFeed.told(payout.id)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
  changeFeed.stop()
}

test('behind PgBouncer in transaction mode each write has one effect and reaches pages of another instance', async () => {
  const [operator, watcher] = [await signIn(getInstance(0).url), await signIn(getInstance(1).url)]
  for (let turn = 0; turn < 4; turn += 1) await cancelAndExpectChange(operator, watcher)
  for (const { log } of instances) expect(log()).not.toContain('store.notices_not_delivered')
})

test('a missing statement timeout of the role is logged', () => {
  for (const { log } of instances)
    expect(log().split('"event":"store.statements_without_limit"')).toHaveLength(2)
})

test('without the direct URL the start is refused with the missing setting', async () => {
  const startError = await startInstance({}).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(startError).toMatch(
    /DATABASE_URL: .*08P01.* set DATABASE_LISTEN_URL to the address of the database itself/,
  )
})
