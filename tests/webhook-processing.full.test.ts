import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout } from './harness/webhook'
import { startWebhookDesk, type WebhookDesk } from './harness/webhook-desk'

let webhookDesk: WebhookDesk
beforeAll(async () => {
  webhookDesk = await startWebhookDesk()
})
afterAll(() => webhookDesk?.stop())

test('events that arrive out of order leave the newest state', async () => {
  const { id } = buildWebhookPayout()
  const buildPayout = (minute: number, status: string) => {
    const at = `2026-11-20T10:0${minute}:00Z`
    const status_details = { changed_at: at, reason: 'ok', source: 'system', message: '' }
    return buildWebhookPayout({ id, status, status_details, created_at: '2026-11-20T10:00:00Z', updated_at: at })
  }
  const account = randomUUID()
  for (const data of [buildPayout(2, 'pending'), buildPayout(3, 'paid'), buildPayout(1, 'created'), buildPayout(2, 'pending')]) {
    const delivery = `msg_${randomUUID()}`
    expect((await webhookDesk.send({ id: delivery, body: buildWebhookEvent('payout.event.v1', data, account) })).status).toBe(204)
    expect(await webhookDesk.processed(delivery)).toMatchObject({ state: 'matched' })
  }
  const { rows: kept } = await webhookDesk.db.query("select object ->> 'status' as status from mirror_payments where id = $1", [id])
  expect(kept).toEqual([{ status: 'paid' }])
})

const readRow = async (id: string) =>
  (await webhookDesk.db.query<{ account_id: string; status: string }>('select account_id, status from mirror_payments where id = $1', [id]))
    .rows[0]

/** Sends a webhook event, waits until it has been processed, and returns its row. */
async function deliverEvent(data: object, account: string) {
  const id = `msg_${randomUUID()}`
  expect((await webhookDesk.send({ id, body: buildWebhookEvent('payout.event.v1', data, account) })).status).toBe(204)
  return webhookDesk.processed(id)
}

describe('an event that contradicts the service', () => {
  test('does not move a payment to another account, is discarded, and triggers a read', async () => {
    const { id, account } = await webhookDesk.sandbox.makePayout()
    const accountId = account.replace('acct_', '')
    await waitUntil('the payment', async () => (await readRow(id)) ?? null)
    const event = await deliverEvent(buildWebhookPayout({ id, status: 'paid', updated_at: new Date().toISOString() }), randomUUID())
    expect(event).toMatchObject({ state: 'ignored', note: 'other_account' })
    expect(await readRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
    expect(webhookDesk.desk.log()).toContain('"event":"webhooks.other_account"')
  })

  test('is corrected by the service’s response if it was the first to arrive', async () => {
    const { id, account } = await webhookDesk.sandbox.makePayout({ announced: false })
    const accountId = account.replace('acct_', '')
    const wrongAccountId = randomUUID()
    expect(await deliverEvent(buildWebhookPayout({ id, status: 'paid' }), wrongAccountId)).toMatchObject({ state: 'matched' })
    expect(await readRow(id)).toEqual({ account_id: wrongAccountId, status: 'paid' })
    expect(await deliverEvent(buildWebhookPayout({ id, status: 'paid' }), accountId)).toMatchObject({
      state: 'ignored',
      note: 'other_account',
    })
    await waitUntil('what the service answered', async () => ((await readRow(id))?.account_id === accountId ? true : null))
    expect(await readRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
  })

  test('with a time in the far future is overridden by the service’s later response', async () => {
    const { id, account } = await webhookDesk.sandbox.makePayout({ announced: false })
    const accountId = account.replace('acct_', '')
    const farFutureTime = '9999-12-31T23:59:59Z'
    const status_details = { changed_at: farFutureTime, reason: 'ok', source: 'system', message: '' }
    expect(
      await deliverEvent(buildWebhookPayout({ id, status: 'paid', status_details, updated_at: farFutureTime }), accountId),
    ).toMatchObject({
      state: 'matched',
    })
    const { rows } = await webhookDesk.db.query(
      "select version_at < now() + interval '6 minutes' as near from mirror_payments where id = $1",
      [id],
    )
    expect(rows).toEqual([{ near: true }])
    // The event names another account than the mirror, so the desk reads the payment from the service.
    await deliverEvent(buildWebhookPayout({ id }), randomUUID())
    await waitUntil('what the service answered', async () => ((await readRow(id))?.status === 'on_hold' ? true : null))
    expect(await readRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
  })
})

describe('failed processing', () => {
  const makeDue = (id: string, tries: number) =>
    webhookDesk.db.query('update webhook_events set next_try_at = now(), tries = $2 where id = $1', [id, tries])

  test('is retried later, and finally marked as failed', async () => {
    await webhookDesk.db.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refusing before insert on mirror_payments for each row execute function refuse();`)
    const id = `msg_${randomUUID()}`
    expect((await webhookDesk.send({ id, body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()) })).status).toBe(204)
    const firstTry = await waitUntil(
      'the first try',
      async () => (await webhookDesk.rows('id', id)).find(({ note }) => note !== null) ?? null,
    )
    expect(firstTry).toMatchObject({ state: 'received', tries: 1 })
    expect(JSON.stringify(firstTry)).not.toContain('not now')
    await makeDue(id, 5)
    expect(await webhookDesk.processed(id)).toMatchObject({ state: 'failed', tries: 6 })

    const laterDelivery = `msg_${randomUUID()}`
    expect((await webhookDesk.send({ id: laterDelivery, body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()) })).status).toBe(
      204,
    )
    await waitUntil('the first try', async () => (await webhookDesk.rows('id', laterDelivery)).find(({ note }) => note !== null) ?? null)
    await webhookDesk.db.query('drop trigger refusing on mirror_payments')
    await makeDue(laterDelivery, 1)
    expect(await webhookDesk.processed(laterDelivery)).toMatchObject({ state: 'matched', tries: 2, note: null })
  })
})

test('of one event does not block others of its batch', async () => {
  const [bad, good] = [buildWebhookPayout(), buildWebhookPayout()]
  await webhookDesk.db.query(`
    create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refusing_one before insert on mirror_payments for each row when (new.id = '${bad.id}') execute function refuse_one();`)
  const [id, account] = [`msg_${randomUUID()}`, randomUUID()]
  const body = { data: [bad, good].map((data) => ({ payload: buildWebhookEvent('payout.event.v1', data, account) })) }
  expect((await webhookDesk.send({ id, body })).status).toBe(204)
  expect(await webhookDesk.processed(`${id}.1`)).toMatchObject({ object_id: good.id, state: 'matched' })
  const otherTry = await waitUntil(
    'the try of the other',
    async () => (await webhookDesk.rows('id', `${id}.0`)).find(({ note }) => note !== null) ?? null,
  )
  expect(otherTry).toMatchObject({ object_id: bad.id, state: 'received', tries: 1 })
})

test('data of a deleted customer is removed from events, and rejected in later ones', async () => {
  const id = randomUUID()
  const payment = `msg_${randomUUID()}`
  const account = randomUUID()
  await webhookDesk.send({
    id: payment,
    body: buildWebhookEvent('payout.event.v1', buildWebhookPayout({ customer_details: { id, name: 'Ada Example' } }), account),
  })
  expect((await webhookDesk.processed(payment)).payload).toMatchObject({ customer_details: { name: 'Ada Example' } })
  await webhookDesk.db.query(
    `with person as (insert into people (email, name, password_hash) values ('a@company.test', 'a', '') returning id)
     insert into deletions (id, environment, account_id, customer_id, state, ground, identity_check, requested_by)
     select gen_random_uuid(), 'sandbox', $1, $2, 'executed', 'law', 'seen', person.id from person`,
    [account, id],
  )
  const lateDelivery = `msg_${randomUUID()}`
  await webhookDesk.send({
    id: lateDelivery,
    body: buildWebhookEvent('customer.event.v1', { id, name: 'Ada Example', status: 'verified' }, account),
  })
  expect(await webhookDesk.processed(lateDelivery)).toMatchObject({ state: 'ignored', note: 'customer_deleted', payload: null })
  expect((await webhookDesk.processed(payment)).payload).toBeNull()
})

test('data of a customer deleted at the service is removed at the next start, and then rejected', async () => {
  const [id, account, event] = [randomUUID(), randomUUID(), `msg_${randomUUID()}`]
  const eventBody = buildWebhookEvent('customer.event.v1', { id, name: 'Ada Example', status: 'verified' }, account)
  await webhookDesk.send({ id: event, body: eventBody })
  expect((await webhookDesk.processed(event)).payload).toMatchObject({ name: 'Ada Example' })
  await webhookDesk.db.query("insert into mirror_forgotten values ('sandbox', $1)", [id])
  await webhookDesk.desk.end()
  await webhookDesk.desk.restart()
  await waitUntil('the payload to be gone', async () => ((await webhookDesk.processed(event)).payload === null ? true : null))
  const lateDelivery = `msg_${randomUUID()}`
  await webhookDesk.send({ id: lateDelivery, body: eventBody })
  expect(await webhookDesk.processed(lateDelivery)).toMatchObject({ state: 'ignored', note: 'customer_deleted' })
})

test('events and counts older than 30 days are deleted at the next start', async () => {
  await webhookDesk.db.query(`
    insert into webhook_events (environment, id, event_id, event_type, signed, state, received_at)
      select 'sandbox', 'old_' || n, 'e', 'x', 'verified', 'ignored', now() - interval '31 days' from generate_series(1, 450) n;
    insert into webhook_refusals values ('sandbox', 'of_old', current_date - 31, 1, now());`)
  await webhookDesk.desk.end()
  await webhookDesk.desk.restart()
  await waitUntil('the old to be gone', async () => {
    const { rows: left } = await webhookDesk.db.query(
      "select 1 from webhook_events where id like 'old%' union all select 1 from webhook_refusals where cause = 'of_old'",
    )
    return left.length === 0 ? true : null
  })
})

test('unsigned events are accepted if configured, marked as unsigned, and change nothing', async () => {
  const env = { SERVICE_SANDBOX_WEBHOOK_SECRET: '', SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: '', SERVICE_SANDBOX_WEBHOOK_UNSIGNED: '1' }
  await webhookDesk.desk.end()
  await webhookDesk.desk.restart(env)
  const event = buildWebhookEvent('payout.event.v1', buildWebhookPayout())
  const response = await fetch(`${webhookDesk.desk.url}/api/webhooks/sandbox`, { method: 'POST', body: JSON.stringify(event) })
  expect(response.status).toBe(204)
  expect(await webhookDesk.processed(event.event_id)).toMatchObject({ signed: 'unverified', state: 'ignored', note: 'not_verified' })
  const { rows: kept } = await webhookDesk.db.query('select 1 from mirror_payments where id = $1', [(event.data as { id: string }).id])
  expect(kept).toEqual([])
})
