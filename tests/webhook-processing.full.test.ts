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
    await webhookTestStack.deliver({
      id: webhookId,
      body: buildWebhookEvent('payout.event.v1', data, account),
    })
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
  await webhookTestStack.deliver({ id, body: buildWebhookEvent('payout.event.v1', data, account) })
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
    await webhookTestStack.deliver({
      id,
      body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()),
    })
    const rowAfterFirstTry = await waitUntil(
      'the first try',
      async () => (await webhookTestStack.rows('id', id)).find(({ note }) => note !== null) ?? null,
    )
    expect(rowAfterFirstTry).toMatchObject({ state: 'received', tries: 1 })
    expect(JSON.stringify(rowAfterFirstTry)).not.toContain('not now')
    await makeRetryDue(id, 5)
    expect(await webhookTestStack.processed(id)).toMatchObject({ state: 'failed', tries: 6 })

    const laterWebhookId = `msg_${randomUUID()}`
    await webhookTestStack.deliver({
      id: laterWebhookId,
      body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()),
    })
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
  await webhookTestStack.deliver({ id, body })
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

test('unsigned events are accepted if configured, marked as unsigned, and change nothing', async () => {
  const env = {
    SERVICE_SANDBOX_WEBHOOK_SECRET: '',
    SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: '',
    SERVICE_SANDBOX_WEBHOOK_UNSIGNED: '1',
  }
  await webhookTestStack.desk.end()
  await webhookTestStack.desk.restart(env)
  const unsignedEvent = buildWebhookEvent('payout.event.v1', buildWebhookPayout())
  const response = await fetch(`${webhookTestStack.desk.url}/api/webhooks/sandbox`, {
    method: 'POST',
    body: JSON.stringify(unsignedEvent),
  })
  expect(response.status).toBe(204)
  expect(await webhookTestStack.processed(unsignedEvent.event_id)).toMatchObject({
    signed: 'unverified',
    state: 'ignored',
    note: 'not_verified',
  })
  const { rows: paymentRows } = await webhookTestStack.db.query(
    'select 1 from mirror_payments where id = $1',
    [(unsignedEvent.data as { id: string }).id],
  )
  expect(paymentRows).toEqual([])
})
