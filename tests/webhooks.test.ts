import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from './harness/wait-until'
import { buildWebhookEvent, buildWebhookPayout, createWebhookSecret } from './harness/webhook'
import { startWebhookDesk, type WebhookDesk } from './harness/webhook-desk'
import { expectWebhookRefused, payoutEvent, refusedDeliveries } from './harness/webhook-refusals'

let webhookTestStack: WebhookDesk
beforeAll(async () => {
  webhookTestStack = await startWebhookDesk()
})
afterAll(() => webhookTestStack?.stop())

describe('an event of the sandbox', () => {
  test('arrives verified, with the account and status of the payment', async () => {
    const payout = await webhookTestStack.sandbox.makePayout()
    const account = payout.account.replace('acct_', '')
    const cancelResponse = await fetch(
      `${webhookTestStack.sandbox.url}/v1/payouts/${payout.id}/cancel`,
      {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${webhookTestStack.sandbox.keys.full}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          'service-account-id': payout.account,
        },
        body: JSON.stringify({ reason: 'No longer needed' }),
      },
    )
    expect(cancelResponse.status).toBe(200)
    const payoutEventRows = await waitUntil('the event of the payout', async () => {
      const storedRows = await webhookTestStack.rows('object_id', payout.id)
      return storedRows.length > 1 && storedRows.every(({ state }) => state !== 'received')
        ? storedRows
        : null
    })
    expect(new Set(payoutEventRows.map(({ event_type }) => event_type))).toEqual(
      new Set(['payout.created.v1', 'payout.event.v1']),
    )
    for (const { signed, state, account_id, resource } of payoutEventRows) {
      expect({ signed, state, account_id, resource }).toEqual({
        signed: 'verified',
        state: 'matched',
        account_id: account,
        resource: 'payouts',
      })
    }
    // More events of the payout may still arrive. Waits until the stored payment has its final
    // status.
    const paymentRows = await waitUntil('the payment as it is now', async () => {
      const { rows } = await webhookTestStack.db.query(
        'select account_id, object from mirror_payments where id = $1',
        [payout.id],
      )
      return (rows[0]?.object as { status?: string } | undefined)?.status === 'cancelled'
        ? rows
        : null
    })
    expect(paymentRows).toEqual([{ account_id: account, object: expect.anything() }])
  })
})

describe('a verified delivery', () => {
  test.each(['webhook', 'svix'] as const)('has the header names %s-…', async (names) => {
    const [id, data] = [`msg_${randomUUID()}`, buildWebhookPayout()]
    const deliveryResponse = await webhookTestStack.send({
      id,
      names,
      body: buildWebhookEvent('payout.event.v1', data),
    })
    expect([deliveryResponse.status, await deliveryResponse.text()]).toEqual([204, ''])
    expect(await webhookTestStack.processed(id)).toMatchObject({
      object_id: data.id,
      state: 'matched',
      signed: 'verified',
      tries: 1,
    })
  })

  test('that is repeated counts once, even with other content', async () => {
    const webhookId = `msg_${randomUUID()}`
    const webhookPayout = buildWebhookPayout()
    await webhookTestStack.deliver({
      id: webhookId,
      body: buildWebhookEvent('payout.event.v1', webhookPayout),
    })
    const firstRow = await webhookTestStack.processed(webhookId)
    await webhookTestStack.deliver({
      id: webhookId,
      body: buildWebhookEvent('payout.event.v1', { ...webhookPayout, status: 'paid' }),
    })
    expect(await webhookTestStack.rows('id', webhookId)).toEqual([firstRow])
  })

  test('of the previous secret is accepted while both are set', async () => {
    const id = `msg_${randomUUID()}`
    await webhookTestStack.deliver({
      id,
      secret: webhookTestStack.sandbox.webhookSecret,
      body: buildWebhookEvent('payout.event.v1', buildWebhookPayout()),
    })
    expect(await webhookTestStack.processed(id)).toMatchObject({ signed: 'verified' })
  })

  test('with several events stores each of them', async () => {
    const id = `msg_${randomUUID()}`
    const webhookEvents = [buildWebhookPayout(), buildWebhookPayout()].map((data) => ({
      payload: buildWebhookEvent('payout.event.v1', data),
      eventType: 'payout.event.v1',
    }))
    await webhookTestStack.deliver({ id, body: { data: webhookEvents } })
    const eventRows = await Promise.all([
      webhookTestStack.processed(`${id}.0`),
      webhookTestStack.processed(`${id}.1`),
    ])
    expect(eventRows.map(({ object_id }) => object_id)).toEqual(
      webhookEvents.map(({ payload }) => (payload.data as { id: string }).id),
    )
  })

  test.each([
    ['of a kind nobody knows', 'payout.astonished.v9', buildWebhookPayout(), 'unknown_kind'],
    ['of a resource nobody knows', 'refund.event.v1', buildWebhookPayout(), 'unknown_kind'],
    ['whose object cannot be read', 'payout.event.v1', { amount: 1 }, 'not_readable'],
  ])('%s is stored without its content', async (_, type, data, note) => {
    const id = `msg_${randomUUID()}`
    await webhookTestStack.deliver({ id, body: buildWebhookEvent(type, data) })
    const object_id = 'id' in data ? data.id : null
    expect(await webhookTestStack.processed(id)).toMatchObject({
      event_type: type,
      object_id,
      state: 'ignored',
      note,
      payload: null,
    })
  })

  test('stores no usable paykey, and of an account or person only the list fields', async () => {
    const canaries = {
      token: 'canarytoken.0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      number: '900817264553',
      ssn: '917-26-4553',
      extra: 'canary-undeclared-7261',
    }
    const { token, number, ssn, extra } = canaries
    const customer_details = { id: randomUUID(), name: 'Ada Example', ssn, canary: extra }
    const eventData = {
      ...buildWebhookPayout({ customer_details, paykey: token, canary: extra }),
      status: 'active',
      label: 'BANK ****4553',
      customer_id: randomUUID(),
      bank_data: { routing_number: '021000021', account_number: number, account_type: 'checking' },
      compliance_profile: { ssn },
    }
    for (const type of [
      'paykey.event.v1',
      'payout.event.v1',
      'customer.event.v1',
      'astonished.event.v1',
    ]) {
      const id = `msg_${randomUUID()}`
      await webhookTestStack.deliver({ id, body: buildWebhookEvent(type, eventData) })
      await webhookTestStack.processed(id)
    }
    const { rows: tables } = await webhookTestStack.db.query<{ name: string }>(
      "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
    )
    for (const { name } of tables) {
      const { rows: tableRows } = await webhookTestStack.db.query<{ text: string }>(
        `select t::text as text from ${name} t`,
      )
      const foundCanaries = tableRows.flatMap(({ text }) =>
        Object.values(canaries).filter((word) => text.includes(word)),
      )
      expect([name, foundCanaries]).toEqual([name, []])
    }
    expect(
      Object.values(canaries).filter((word) => webhookTestStack.desk.log().includes(word)),
    ).toEqual([])
  })
})

describe('refusals', () => {
  test.each(refusedDeliveries)(
    'a delivery %s is counted and not stored',
    async (_, cause, status, change) => {
      const id = `msg_${randomUUID()}`
      const refusalCountBefore = await webhookTestStack.refusals(cause)
      await expectWebhookRefused(
        webhookTestStack,
        await webhookTestStack.send({ id, body: payoutEvent, ...change() }),
        status,
        cause,
        refusalCountBefore,
      )
      expect(await webhookTestStack.rows('id', id)).toEqual([])
    },
  )

  test('a network with hundreds of forged deliveries gets 429, and its valid ones are accepted', async () => {
    const forgedDelivery = {
      headers: { 'x-forwarded-for': '203.0.113.7' },
      body: payoutEvent,
      secret: createWebhookSecret(),
    }
    const floodStatuses = new Set<number>()
    for (let at = 0; at < 30; at += 1) {
      const responses = await Promise.all(
        Array.from({ length: 11 }, () => webhookTestStack.send(forgedDelivery)),
      )
      for (const { status } of responses) floodStatuses.add(status)
    }
    expect(floodStatuses).toEqual(new Set([400, 429]))
    const { secret: _, ...genuine } = forgedDelivery
    await webhookTestStack.deliver(genuine)
    expect((await webhookTestStack.send(forgedDelivery)).status).toBe(429)
    const otherNetworkDelivery = {
      ...forgedDelivery,
      headers: { 'x-forwarded-for': '203.0.114.7' },
    }
    expect((await webhookTestStack.send(otherNetworkDelivery)).status).toBe(400)
  })

  test('a batch may be large, but each of its events has the limit of a single one', async () => {
    const largestMetadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`key_${at}`.padEnd(40, 'k'), 'v'.repeat(40)]),
    )
    const buildBatch = (...told: object[]) => ({
      data: told.map((data) => ({ payload: buildWebhookEvent('payout.event.v1', data) })),
    })
    const batchPayouts = Array.from({ length: 200 }, () =>
      buildWebhookPayout({ metadata: largestMetadata }),
    )
    const largeBatch = buildBatch(...batchPayouts)
    expect(JSON.stringify(largeBatch).length).toBeGreaterThan(376_664)
    await webhookTestStack.deliver({ body: largeBatch })
    const [id, before] = [`msg_${randomUUID()}`, await webhookTestStack.refusals('too_large')]
    const oversizedBatch = buildBatch(
      buildWebhookPayout(),
      buildWebhookPayout({ description: 'x'.repeat(300_000) }),
    )
    await expectWebhookRefused(
      webhookTestStack,
      await webhookTestStack.send({ id, body: oversizedBatch }),
      413,
      'too_large',
      before,
    )
    expect(await webhookTestStack.rows('id', `${id}.0`)).toEqual([])
  })

  test('an unknown environment is 404, and another method 405', async () => {
    expect(
      (await webhookTestStack.send({ body: payoutEvent, environment: 'elsewhere' })).status,
    ).toBe(404)
    const getResponse = await fetch(`${webhookTestStack.desk.url}/api/webhooks/sandbox`)
    expect([getResponse.status, getResponse.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
