import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout } from './harness/webhook'
import { startWebhookDesk, type WebhookDesk } from './harness/webhook-desk'

let webhookTestStack: WebhookDesk
beforeAll(async () => {
  webhookTestStack = await startWebhookDesk()
})
afterAll(() => webhookTestStack?.stop())

test('events that arrive out of order leave the newest state', async () => {
  const { id } = buildWebhookPayout()
  const buildPayoutAtMinute = (minute: number, status: string) => {
    const at = `2026-11-20T10:0${minute}:00Z`
    const status_details = { changed_at: at, reason: 'ok', source: 'system', message: '' }
    return buildWebhookPayout({
      id,
      status,
      status_details,
      created_at: '2026-11-20T10:00:00Z',
      updated_at: at,
    })
  }
  const account = randomUUID()
  for (const data of [
    buildPayoutAtMinute(2, 'pending'),
    buildPayoutAtMinute(3, 'paid'),
    buildPayoutAtMinute(1, 'created'),
    buildPayoutAtMinute(2, 'pending'),
  ]) {
    const webhookId = `msg_${randomUUID()}`
    expect(
      (
        await webhookTestStack.send({
          id: webhookId,
          body: buildWebhookEvent('payout.event.v1', data, account),
        })
      ).status,
    ).toBe(204)
    expect(await webhookTestStack.processed(webhookId)).toMatchObject({ state: 'matched' })
  }
  const { rows: storedRows } = await webhookTestStack.db.query(
    "select object ->> 'status' as status from mirror_payments where id = $1",
    [id],
  )
  expect(storedRows).toEqual([{ status: 'paid' }])
})

const readPaymentRow = async (id: string) =>
  (
    await webhookTestStack.db.query<{ account_id: string; status: string }>(
      'select account_id, status from mirror_payments where id = $1',
      [id],
    )
  ).rows[0]

/** Sends a webhook event, waits until it has been processed, and returns its row. */
async function deliverEvent(data: object, account: string) {
  const id = `msg_${randomUUID()}`
  expect(
    (await webhookTestStack.send({ id, body: buildWebhookEvent('payout.event.v1', data, account) }))
      .status,
  ).toBe(204)
  return webhookTestStack.processed(id)
}

describe('an event that contradicts the service', () => {
  test('does not move a payment to another account, is discarded, and triggers a read', async () => {
    const { id, account } = await webhookTestStack.sandbox.makePayout()
    const accountId = account.replace('acct_', '')
    await waitUntil('the payment', async () => (await readPaymentRow(id)) ?? null)
    const discardedEventRow = await deliverEvent(
      buildWebhookPayout({ id, status: 'paid', updated_at: new Date().toISOString() }),
      randomUUID(),
    )
    expect(discardedEventRow).toMatchObject({ state: 'ignored', note: 'other_account' })
    expect(await readPaymentRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
    expect(webhookTestStack.desk.log()).toContain('"event":"webhooks.other_account"')
  })

  test('is corrected by the service’s response if it was the first to arrive', async () => {
    const { id, account } = await webhookTestStack.sandbox.makePayout({ announced: false })
    const accountId = account.replace('acct_', '')
    const wrongAccountId = randomUUID()
    expect(
      await deliverEvent(buildWebhookPayout({ id, status: 'paid' }), wrongAccountId),
    ).toMatchObject({ state: 'matched' })
    expect(await readPaymentRow(id)).toEqual({ account_id: wrongAccountId, status: 'paid' })
    expect(await deliverEvent(buildWebhookPayout({ id, status: 'paid' }), accountId)).toMatchObject(
      {
        state: 'ignored',
        note: 'other_account',
      },
    )
    await waitUntil('what the service answered', async () =>
      (await readPaymentRow(id))?.account_id === accountId ? true : null,
    )
    expect(await readPaymentRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
  })

  test('with a time in the far future is overridden by the service’s later response', async () => {
    const { id, account } = await webhookTestStack.sandbox.makePayout({ announced: false })
    const accountId = account.replace('acct_', '')
    const farFutureTime = '9999-12-31T23:59:59Z'
    const status_details = {
      changed_at: farFutureTime,
      reason: 'ok',
      source: 'system',
      message: '',
    }
    expect(
      await deliverEvent(
        buildWebhookPayout({ id, status: 'paid', status_details, updated_at: farFutureTime }),
        accountId,
      ),
    ).toMatchObject({
      state: 'matched',
    })
    const { rows } = await webhookTestStack.db.query(
      "select version_at < now() + interval '6 minutes' as near from mirror_payments where id = $1",
      [id],
    )
    expect(rows).toEqual([{ near: true }])
    // This event names another account than the stored payment, so Paydesk discards the event and
    // reads the payment from the service.
    await deliverEvent(buildWebhookPayout({ id }), randomUUID())
    await waitUntil('what the service answered', async () =>
      (await readPaymentRow(id))?.status === 'on_hold' ? true : null,
    )
    expect(await readPaymentRow(id)).toEqual({ account_id: accountId, status: 'on_hold' })
  })
})

describe('failed processing', () => {
  const makeRetryDue = (id: string, tries: number) =>
    webhookTestStack.db.query(
      'update webhook_events set next_try_at = now(), tries = $2 where id = $1',
      [id, tries],
    )

  test('is retried later, and finally marked as failed', async () => {
    await webhookTestStack.db.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger refusing before insert on mirror_payments for each row execute function refuse();`)
    const id = `msg_${randomUUID()}`
    expect(
      (
        await webhookTestStack.send({
          id,
          body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()),
        })
      ).status,
    ).toBe(204)
    const firstTry = await waitUntil(
      'the first try',
      async () => (await webhookTestStack.rows('id', id)).find(({ note }) => note !== null) ?? null,
    )
    expect(firstTry).toMatchObject({ state: 'received', tries: 1 })
    expect(JSON.stringify(firstTry)).not.toContain('not now')
    await makeRetryDue(id, 5)
    expect(await webhookTestStack.processed(id)).toMatchObject({ state: 'failed', tries: 6 })

    const laterWebhookId = `msg_${randomUUID()}`
    expect(
      (
        await webhookTestStack.send({
          id: laterWebhookId,
          body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()),
        })
      ).status,
    ).toBe(204)
    await waitUntil(
      'the first try',
      async () =>
        (await webhookTestStack.rows('id', laterWebhookId)).find(({ note }) => note !== null) ??
        null,
    )
    await webhookTestStack.db.query('drop trigger refusing on mirror_payments')
    await makeRetryDue(laterWebhookId, 1)
    expect(await webhookTestStack.processed(laterWebhookId)).toMatchObject({
      state: 'matched',
      tries: 2,
      note: null,
    })
  })
})

test('failed processing of one event does not block the others of its batch', async () => {
  const [badPayout, goodPayout] = [buildWebhookPayout(), buildWebhookPayout()]
  await webhookTestStack.db.query(`
    create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger refusing_one before insert on mirror_payments for each row when (new.id = '${badPayout.id}') execute function refuse_one();`)
  const [id, account] = [`msg_${randomUUID()}`, randomUUID()]
  const body = {
    data: [badPayout, goodPayout].map((data) => ({
      payload: buildWebhookEvent('payout.event.v1', data, account),
    })),
  }
  expect((await webhookTestStack.send({ id, body })).status).toBe(204)
  expect(await webhookTestStack.processed(`${id}.1`)).toMatchObject({
    object_id: goodPayout.id,
    state: 'matched',
  })
  const badEventRow = await waitUntil(
    'the try of the other',
    async () =>
      (await webhookTestStack.rows('id', `${id}.0`)).find(({ note }) => note !== null) ?? null,
  )
  expect(badEventRow).toMatchObject({ object_id: badPayout.id, state: 'received', tries: 1 })
})

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
  const lateDelivery = `msg_${randomUUID()}`
  await webhookTestStack.send({ id: lateDelivery, body: eventBody })
  expect(await webhookTestStack.processed(lateDelivery)).toMatchObject({
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

test('unsigned events are accepted if configured, marked as unsigned, and change nothing', async () => {
  const env = {
    SERVICE_SANDBOX_WEBHOOK_SECRET: '',
    SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: '',
    SERVICE_SANDBOX_WEBHOOK_UNSIGNED: '1',
  }
  await webhookTestStack.desk.end()
  await webhookTestStack.desk.restart(env)
  const event = buildWebhookEvent('payout.event.v1', buildWebhookPayout())
  const response = await fetch(`${webhookTestStack.desk.url}/api/webhooks/sandbox`, {
    method: 'POST',
    body: JSON.stringify(event),
  })
  expect(response.status).toBe(204)
  expect(await webhookTestStack.processed(event.event_id)).toMatchObject({
    signed: 'unverified',
    state: 'ignored',
    note: 'not_verified',
  })
  const { rows: paymentRows } = await webhookTestStack.db.query(
    'select 1 from mirror_payments where id = $1',
    [(event.data as { id: string }).id],
  )
  expect(paymentRows).toEqual([])
})
