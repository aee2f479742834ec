import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout } from './harness/webhook'
import { startWebhookDesk, type WebhookDesk } from './harness/webhook-desk'

let webhookTestStack: WebhookDesk
beforeAll(async () => {
  webhookTestStack = await startWebhookDesk()
})
afterAll(() => webhookTestStack?.stop())

test('data of a deleted customer is removed from events, and rejected in later ones', async () => {
  const customerId = randomUUID()
  const paymentEventId = `msg_${randomUUID()}`
  const account = randomUUID()
  await webhookTestStack.send({
    id: paymentEventId,
    body: buildWebhookEvent(
      'payout.event.v1',
      buildWebhookPayout({ customer_details: { id: customerId, name: 'Ada Example' } }),
      account,
    ),
  })
  expect((await webhookTestStack.processed(paymentEventId)).payload).toMatchObject({
    customer_details: { name: 'Ada Example' },
  })
  await webhookTestStack.db.query(
    `with person as (insert into people (email, name, password_hash) values ('a@company.test', 'a', '') returning id)
     insert into deletions (id, environment, account_id, customer_id, state, ground, identity_check, requested_by)
     select gen_random_uuid(), 'sandbox', $1, $2, 'executed', 'law', 'seen', person.id from person`,
    [account, customerId],
  )
  const lateWebhookId = `msg_${randomUUID()}`
  await webhookTestStack.send({
    id: lateWebhookId,
    body: buildWebhookEvent(
      'customer.event.v1',
      { id: customerId, name: 'Ada Example', status: 'verified' },
      account,
    ),
  })
  expect(await webhookTestStack.processed(lateWebhookId)).toMatchObject({
    state: 'ignored',
    note: 'customer_deleted',
    payload: null,
  })
  expect((await webhookTestStack.processed(paymentEventId)).payload).toBeNull()
})

test('data of a customer deleted at the service is removed at the next start, and then rejected', async () => {
  const [id, account, eventId] = [randomUUID(), randomUUID(), `msg_${randomUUID()}`]
  const eventBody = buildWebhookEvent(
    'customer.event.v1',
    { id, name: 'Ada Example', status: 'verified' },
    account,
  )
  await webhookTestStack.send({ id: eventId, body: eventBody })
  expect((await webhookTestStack.processed(eventId)).payload).toMatchObject({ name: 'Ada Example' })
  await webhookTestStack.db.query("insert into mirror_forgotten values ('sandbox', $1)", [id])
  await webhookTestStack.desk.end()
  await webhookTestStack.desk.restart()
  await waitUntil('the payload to be gone', async () =>
    (await webhookTestStack.processed(eventId)).payload === null ? true : null,
  )
  const repeatedWebhookId = `msg_${randomUUID()}`
  await webhookTestStack.send({ id: repeatedWebhookId, body: eventBody })
  expect(await webhookTestStack.processed(repeatedWebhookId)).toMatchObject({
    state: 'ignored',
    note: 'customer_deleted',
  })
})

test('events and counts older than 30 days are deleted at the next start', async () => {
  await webhookTestStack.db.query(`
    insert into webhook_events (environment, id, event_id, event_type, signed, state, received_at)
      select 'sandbox', 'old_' || n, 'e', 'x', 'verified', 'ignored', now() - interval '31 days' from generate_series(1, 450) n;
    insert into webhook_refusals values ('sandbox', 'of_old', current_date - 31, 1, now());`)
  await webhookTestStack.desk.end()
  await webhookTestStack.desk.restart()
  await waitUntil('the old to be gone', async () => {
    const { rows: remainingRows } = await webhookTestStack.db.query(
      "select 1 from webhook_events where id like 'old%' union all select 1 from webhook_refusals where cause = 'of_old'",
    )
    return remainingRows.length === 0 ? true : null
  })
})
