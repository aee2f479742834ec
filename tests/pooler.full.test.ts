import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { followChanges } from './harness/follow-changes'
import { signIn } from './harness/person'
import { startPooler } from './harness/pooler'
import { type Postgres, startPostgres } from './harness/postgres'
import { waitUntil } from './harness/wait-until'
import {
  buildWebhookEvent,
  buildWebhookPayout,
  createWebhookSecret,
  deliverWebhook,
} from './harness/webhook'

const metricsToken = 'a-token-for-metrics-of-this-test-0123456789'
const secret = createWebhookSecret()

let postgres: Postgres
let pooler: Awaited<ReturnType<typeof startPooler>>
let pooledDashboard: Dashboard

beforeAll(async () => {
  postgres = await startPostgres()
  pooler = await startPooler(postgres.url)
  pooledDashboard = await startDashboard({
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
    databaseUrl: pooler.url,
    env: { METRICS_TOKEN: metricsToken, EMBEDDED_SANDBOX_WEBHOOK_SECRET: secret },
  })
})
afterAll(async () => {
  await pooledDashboard?.stop()
  await pooler?.stop()
  await postgres?.stop()
})

async function readListenGauge(): Promise<string | undefined> {
  const response = await fetch(`${pooledDashboard.url}/api/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  return /^paydesk_store_listen_up (\d)$/m.exec(await response.text())?.[1]
}

const countLogEvents = (event: string) =>
  pooledDashboard.log().split(`"event":"${event}"`).length - 1

test('behind a pooler without notices, the log and the metrics report it once, and pages get no events', async () => {
  const changeStream = await followChanges(await signIn(pooledDashboard.url))
  await waitUntil(
    'the line of the log',
    () => countLogEvents('store.notices_not_delivered') || null,
  )
  await waitUntil('the gauge', async () => ((await readListenGauge()) === '0' ? true : null))
  const payout = buildWebhookPayout()
  expect(
    (
      await deliverWebhook({
        desk: pooledDashboard.url,
        secret,
        body: buildWebhookEvent('payout.event.v1', payout, randomUUID()),
      })
    ).status,
  ).toBe(204)
  expect(countLogEvents('store.notices_not_delivered')).toBe(1)
  expect(changeStream.heard()).toEqual([])
  changeStream.stop()
})

test('with a direct database URL, changes reach open pages', async () => {
  await pooledDashboard.end()
  await pooledDashboard.restart({ DATABASE_LISTEN_URL: postgres.url })
  const secondChangeStream = await followChanges(await signIn(pooledDashboard.url))
  const payout = buildWebhookPayout()
  expect(
    (
      await deliverWebhook({
        desk: pooledDashboard.url,
        secret,
        body: buildWebhookEvent('payout.event.v1', payout, randomUUID()),
      })
    ).status,
  ).toBe(204)
  await secondChangeStream.told(payout.id)
  expect(await readListenGauge()).toBe('1')
  expect(countLogEvents('store.notices_not_delivered')).toBe(1)
  secondChangeStream.stop()
})
