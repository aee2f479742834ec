import { Client } from 'pg'
import { expect } from 'vitest'
import { startDashboard } from './dashboard'
import { findFreePort } from './free-port'
import { startPostgres } from './postgres'
import { startSandbox } from './sandbox'
import { waitUntil } from './wait-until'
import { createWebhookSecret, deliverWebhook } from './webhook'

export type EventRow = {
  id: string
  event_type: string
  account_id: string | null
  resource: string | null
  object_id: string | null
  signed: string
  state: string
  tries: number
  note: string | null
  payload: Record<string, unknown> | null
}

export type WebhookDesk = Awaited<ReturnType<typeof startWebhookDesk>>

type WebhookDeliveryInput = Omit<Parameters<typeof deliverWebhook>[0], 'desk' | 'secret'> & {
  secret?: string
}

/**
 * Returns functions that send webhook events to a dashboard, by default signed with `newerSecret`,
 * and that read the events from its database.
 */
function createWebhookCalls(deskUrl: string, db: Client, newerSecret: string) {
  const sendDelivery = (delivery: WebhookDeliveryInput) =>
    deliverWebhook({ desk: deskUrl, secret: newerSecret, ...delivery })

  async function readEventRows(column: 'id' | 'object_id', value: string): Promise<EventRow[]> {
    return (
      await db.query<EventRow>(
        `select * from webhook_events where ${column} = $1 order by received_at, id`,
        [value],
      )
    ).rows
  }

  return {
    rows: readEventRows,
    /** Sends a webhook event to the desk, by default signed with the newer secret. */
    send: sendDelivery,
    /** Sends a webhook event that the desk must accept. */
    deliver: async (delivery: WebhookDeliveryInput): Promise<void> => {
      expect((await sendDelivery(delivery)).status).toBe(204)
    },
    /** Waits until the webhook event with this id has been processed. Returns its row. */
    processed: (id: string) =>
      waitUntil('the event to be processed', async () => {
        const [row] = await readEventRows('id', id)
        return row && row.state !== 'received' ? row : null
      }),
    /** Returns the number of webhook events that were refused with this cause. */
    refusals: async (cause: string): Promise<number> => {
      const refusalCountSql =
        'select coalesce(sum(count), 0)::int as count from webhook_refusals where cause = $1'
      return (await db.query<{ count: number }>(refusalCountSql, [cause])).rows[0]?.count ?? 0
    },
  }
}

/**
 * Starts a dashboard, and a sandbox that sends webhook events to it. The dashboard accepts two
 * secrets: the sandbox signs with the previous one, and the test with the newer one. The dashboard
 * also serves the production environment, which has no webhook secret.
 */
export async function startWebhookDesk() {
  const port = await findFreePort()
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/sandbox`
  const [sandbox, postgres] = await Promise.all([
    startSandbox({ webhooksTo: webhookUrl, payments: 40 }),
    startPostgres(),
  ])
  const secret = createWebhookSecret()
  const webhookDashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    embedded: false,
    databaseUrl: postgres.url,
    port,
    env: {
      SERVICE_SANDBOX_WEBHOOK_SECRET: secret,
      SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: sandbox.webhookSecret,
      SERVICE_PRODUCTION_URL: sandbox.url,
      SERVICE_PRODUCTION_API_KEY: sandbox.keys.full,
      TRUSTED_PROXIES: '1',
    },
  })
  const db = new Client(postgres.url)
  await db.connect()

  return {
    sandbox,
    desk: webhookDashboard,
    db,
    ...createWebhookCalls(webhookDashboard.url, db, secret),
    stop: async () => {
      await db.end()
      await webhookDashboard.stop()
      await postgres.stop()
      await sandbox.stop()
    },
  }
}
