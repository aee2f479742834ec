import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebhookDetail, WebhookView } from '@/lib/operations/webhooks'
import { deskApiPath } from '@/lib/routes'
import type { Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import { waitUntil } from './harness/wait-until'
import {
  buildWebhookEvent,
  buildWebhookPayout,
  createWebhookSecret,
  deliverWebhook,
} from './harness/webhook'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let admin: Person
beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const sendDelivery = (delivery: { id?: string; body: object; secret?: string }) =>
  deliverWebhook({ desk: testStack.dashboard.url, secret: testStack.webhookSecret, ...delivery })

type WebhookPage = { data: WebhookView[]; meta: { total_items: number } }

async function listWebhooks(query: Record<string, string>, account = ''): Promise<WebhookPage> {
  const webhooksResponse = await admin.send(
    deskApiPath('sandbox', '/webhooks', String(new URLSearchParams(query)), account),
  )
  expect(webhooksResponse.status, await webhooksResponse.clone().text()).toBe(200)
  return (await webhooksResponse.json()) as WebhookPage
}

const toIds = ({ data }: WebhookPage) => data.map(({ id }) => id)

const readWebhook = async (id: string) => {
  const response = await admin.send(deskApiPath('sandbox', `/webhooks/${id}`))
  return ((await response.json()) as { data: WebhookDetail }).data
}

const waitUntilProcessed = (id: string) =>
  waitUntil('the webhook to be processed', async () => {
    const webhook = await readWebhook(id)
    return webhook.state === 'received' ? null : webhook
  })

const requestReprocessing = (id: string, who = admin) =>
  who.send(deskApiPath('sandbox', `/webhooks/${id}/process`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })

/** Sends a webhook event about a payout, and waits until it has been processed. */
async function deliverAndAwaitProcessing(type = 'payout.event.v1', account: string = randomUUID()) {
  const [id, data] = [`msg_${randomUUID()}`, buildWebhookPayout()]
  expect((await sendDelivery({ id, body: buildWebhookEvent(type, data, account) })).status).toBe(
    204,
  )
  await waitUntilProcessed(id)
  return { id, account, target: `payouts/${data.id}`, data }
}

test('the list can be filtered by state, type, record and account', async () => {
  const account = randomUUID()
  const [payoutWebhook, unknown] = [
    await deliverAndAwaitProcessing(undefined, account),
    await deliverAndAwaitProcessing('astonished.event.v1', account),
  ]
  const accountParam = `acct_${account}`
  expect(toIds(await listWebhooks({}, accountParam))).toEqual([unknown.id, payoutWebhook.id])
  expect(toIds(await listWebhooks({ sort_order: 'asc' }, accountParam))).toEqual([
    payoutWebhook.id,
    unknown.id,
  ])
  const filterCases: [Record<string, string>, string[]][] = [
    [{ state: 'matched' }, [payoutWebhook.id]],
    [{ state: 'ignored' }, [unknown.id]],
    [{ state: 'failed' }, []],
    [{ kind: 'payouts' }, [payoutWebhook.id]],
    [{ kind: 'unknown' }, [unknown.id]],
    [{ signature: 'unverified' }, []],
    [{ target: payoutWebhook.target }, [payoutWebhook.id]],
    [{ search_text: payoutWebhook.data.id }, [payoutWebhook.id]],
    [{ search_text: unknown.id }, [unknown.id]],
    [{ received_to: '2020-01-01T00:00:00Z' }, []],
  ]
  for (const [query, ids] of filterCases) {
    const foundPage = await listWebhooks(query, accountParam)
    expect([query, toIds(foundPage), foundPage.meta.total_items]).toEqual([query, ids, ids.length])
  }
  expect((await listWebhooks({}, accountParam)).data[0]).toMatchObject({
    state: 'ignored',
    note: 'unknown_kind',
    verified: true,
    target: null,
    count: 1,
  })
})

test('refused webhooks are counted by cause and day', async () => {
  const body = buildWebhookEvent('payout.event.v1', buildWebhookPayout())
  for (let sent = 0; sent < 3; sent += 1)
    await sendDelivery({ body, secret: createWebhookSecret() })
  const refusedWebhooks = await waitUntil('the refusals to be written', async () => {
    const refusedPage = await listWebhooks({ state: 'refused' })
    return refusedPage.data.length > 0 ? refusedPage : null
  })
  expect(refusedWebhooks.meta.total_items).toBe(1)
  expect(refusedWebhooks.data).toEqual([
    expect.objectContaining({
      state: 'refused',
      note: 'wrong_signature',
      count: 3,
      event_type: null,
    }),
  ])
  expect((await listWebhooks({ state: 'refused', kind: 'payouts' })).data).toEqual([])
})

describe('processing again', () => {
  test('has the same effect as the first time, and is audited', async () => {
    const { id, target, data } = await deliverAndAwaitProcessing()
    await testStack.db.query('delete from mirror_payments where id = $1', [data.id])
    await testStack.db.query(
      "update webhook_events set state = 'failed', tries = 6, note = 'Error' where id = $1",
      [id],
    )
    expect((await requestReprocessing(id)).status).toBe(200)
    expect(await waitUntilProcessed(id)).toMatchObject({
      state: 'matched',
      tries: 1,
      note: null,
      target,
      payload: { id: data.id },
    })
    expect(
      (await testStack.db.query('select 1 from mirror_payments where id = $1', [data.id])).rows,
    ).toHaveLength(1)
    const { rows: auditedCodes } = await testStack.db.query(
      `select body::json ->> 'code' as code from audit where body::json ->> 'target' = $1`,
      [`webhooks/${id}`],
    )
    expect(auditedCodes).toEqual([{ code: 'webhooks.process.applied' }])
  })

  test('is refused for unsigned or discarded events, and for a non-admin', async () => {
    const { id } = await deliverAndAwaitProcessing()
    const unknownTypeWebhook = await deliverAndAwaitProcessing('astonished.event.v1')
    expect((await requestReprocessing(unknownTypeWebhook.id)).status).toBe(409)
    expect((await requestReprocessing(id, testStack.operator)).status).toBe(403)
    await testStack.db.query("update webhook_events set signed = 'unverified' where id = $1", [id])
    const refusedResponse = await requestReprocessing(id)
    expect([refusedResponse.status, await refusedResponse.json()]).toEqual([
      409,
      expect.objectContaining({ error: expect.objectContaining({ code: 'changed' }) }),
    ])
    expect(await readWebhook(id)).toMatchObject({ state: 'matched', tries: 1 })
    expect((await requestReprocessing('msg_nothing')).status).toBe(404)
  })
})
