import { describe, expect, test } from 'vitest'
import { buildChargeBody, buildPayoutBody, createTestPaykey } from '@/tests/sandbox/own-paykey'
import type { SandboxResponse } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { getPaymentDate } from '@/tests/sandbox/test-time'

const { client } = startSandboxPerFile()

type Payment = Record<string, unknown> & {
  id: string
  status: string
  config: Record<string, unknown>
}

const toPayment = (response: SandboxResponse) => response.json.data as Payment
const bodyBuilders = { charge: buildChargeBody, payout: buildPayoutBody } as const
const paymentTypes = ['charge', 'payout'] as const

async function createPayment(
  type: 'charge' | 'payout',
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const paykey = await createTestPaykey(client())
  return {
    own: paykey,
    answer: await client().post(`/v1/${type}s`, bodyBuilders[type](paykey.token, overrides), {
      ...paykey.headers,
      ...headers,
    }),
  }
}

describe.each(paymentTypes)('a new %s', (type) => {
  test('is returned with 201, can be read, is in the journal, and sends events', async () => {
    const { own, answer } = await createPayment(type, { metadata: { order: '17' } })
    const payment = toPayment(answer)
    expect(answer.status).toBe(201)
    expect(payment).toMatchObject({
      ...{
        amount: '12345',
        currency: 'USD',
        description: 'Commission for October',
        payment_date: getPaymentDate(),
        status: 'created',
      },
      paykey: expect.stringMatching(/^[0-9a-f]{3}\*{3}\.02\.\*{6}[0-9a-f]{3}$/),
      device: { ip_address: '**.**.**.**' },
      status_details: { reason: 'ok', source: 'system', code: null },
      status_history: [{ status: 'created', reason: 'ok', source: 'system' }],
      ...{
        processed_at: null,
        effective_at: null,
        funding_ids: [],
        trace_ids: {},
        related_payments: [],
        documents: [],
      },
      ...{
        is_resubmit: false,
        has_resubmit: false,
        payment_rail: 'ach',
        metadata: { order: '17' },
      },
      paykey_details: { id: own.id, customer_id: own.customer_id },
      customer_details: { id: own.customer_id },
      ...(type === 'charge'
        ? { consent_type: 'internet', has_refund: false }
        : { is_refund: false }),
    })
    expect(payment.config).toEqual(
      type === 'charge'
        ? { sandbox_outcome: 'standard', balance_check: 'disabled' }
        : { sandbox_outcome: 'standard' },
    )
    expect(toPayment(await client().ask(`/v1/${type}s/${payment.id}`))).toEqual(payment)
    expect(await client().effects(payment.id)).toMatchObject([
      { operation: `${type}s.create`, account_id: own.account_id, from: '', to: 'created' },
    ])
    const { data: events } = await client().control(`events?object_id=${payment.id}`)
    const expectedEvent = {
      account_id: own.account_id,
      data: { ...payment, config: type === 'charge' ? { balance_check: 'disabled' } : {} },
    }
    expect(events).toMatchObject([
      { type: `${type}.created.v1`, payload: expectedEvent },
      { type: `${type}.event.v1`, payload: expectedEvent },
    ])
    expect(events.map(({ payload }) => (payload as { data: Payment }).data.config)).toEqual([
      expectedEvent.data.config,
      expectedEvent.data.config,
    ])
  })

  test('is paid automatically', async () => {
    const { answer } = await createPayment(type)
    await client().control('clock', { advance_seconds: 200 })
    expect(toPayment(await client().ask(`/v1/${type}s/${toPayment(answer).id}`)).status).toBe(
      'paid',
    )
  })

  test('with auto_hold is held at once with the given reason', async () => {
    const config = { auto_hold: true, auto_hold_message: 'Ask the owner first' }
    const { answer } = await createPayment(type, {
      config: type === 'charge' ? { ...config, balance_check: 'enabled' } : config,
    })
    const payment = toPayment(answer)
    expect(payment).toMatchObject({
      status: 'on_hold',
      config,
      status_details: { reason: 'auto_hold', message: 'Ask the owner first' },
    })
    expect(await client().effects(payment.id)).toMatchObject([{ from: '', to: 'on_hold' }])
  })

  test('sent twice with one key is created once', async () => {
    const paykey = await createTestPaykey(client())
    const [body, headers] = [
      bodyBuilders[type](paykey.token),
      { ...paykey.headers, 'idempotency-key': `once-${paykey.id}`.slice(0, 40) },
    ]
    const [first, second] = [
      await client().post(`/v1/${type}s`, body, headers),
      await client().post(`/v1/${type}s`, body, headers),
    ]
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.text,
      'true',
    ])
    const searchResponse = await client().ask(
      `/v1/payments?external_id=${String(body.external_id)}`,
    )
    expect(searchResponse.json.meta?.total_items).toBe(1)
  })

  test('with a null description has an empty one, and an update can empty it too', async () => {
    const { answer } = await createPayment(type, { description: null, config: { auto_hold: true } })
    const payment = toPayment(answer)
    expect([answer.status, payment.description]).toEqual([201, ''])
    const updateDescription = (description: string | null) =>
      client().put(`/v1/${type}s/${payment.id}`, {
        description,
        amount: 100,
        payment_date: getPaymentDate(),
      })
    expect(toPayment(await updateDescription('Rent')).description).toBe('Rent')
    expect(toPayment(await updateDescription(null)).description).toBe('')
  })

  test('requires the account header', async () => {
    const paykey = await createTestPaykey(client())
    const response = await client().post(`/v1/${type}s`, bodyBuilders[type](paykey.token))
    expect(response.json.error).toMatchObject({
      status: 400,
      items: [{ reference: 'Service-Account-Id' }],
    })
  })

  test.each([
    ['an amount as text', { amount: '100' }, 'amount'],
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -5 }, 'amount'],
    ['half a cent', { amount: 10.5 }, 'amount'],
    ['an amount beyond 32 bits', { amount: 2_147_483_648 }, 'amount'],
    ['no amount', { amount: undefined }, 'amount'],
    ['a currency in lower case', { currency: 'usd' }, 'currency'],
    ['another currency', { currency: 'EUR' }, 'currency'],
    ['a date that has passed', { payment_date: '2020-01-31' }, 'payment_date'],
    ['a date that does not exist', { payment_date: '2031-02-30' }, 'payment_date'],
    ['an empty description', { description: '' }, 'description'],
    ['a description of 81 characters', { description: 'x'.repeat(81) }, 'description'],
    ['no description', { description: undefined }, 'description'],
    ['no reference', { external_id: undefined }, 'external_id'],
    ['no device', { device: undefined }, 'device'],
    ['an address of the new kind', { device: { ip_address: '::1' } }, 'device.ip_address'],
    [
      'metadata with 21 keys',
      {
        metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'])),
      },
      'metadata',
    ],
    ['a metadata value of 41 characters', { metadata: { key: 'x'.repeat(41) } }, 'metadata.key'],
    ['a metadata value that is no text', { metadata: { key: 7 } }, 'metadata.key'],
    ['a token nobody has', { paykey: `00000000.02.${'0'.repeat(64)}` }, 'paykey'],
    ['an unknown outcome', { config: { sandbox_outcome: 'lost' } }, 'config.sandbox_outcome'],
    ['an unknown field', { memo: 'x' }, 'memo'],
    ['an unknown field inside', { config: { speed: 'fast' } }, 'config.speed'],
  ])('is rejected with %s', async (_why, overrides, reference) => {
    const { answer, own } = await createPayment(type, overrides)
    const expectedFieldErrorItems = [{ reference, detail: expect.any(String) }]
    expect(answer.json.error).toMatchObject({
      status: 422,
      type: '/validation_error',
      items: expectedFieldErrorItems,
    })
    const { json } = await client().ask(
      `/v1/payments?paykey_id=${own.id}&payment_status=created,on_hold`,
    )
    expect(json.meta?.total_items).toBe(0)
  })

  test('accepts only the full token, in its own account', async () => {
    const paykey = await createTestPaykey(client())
    const maskedToken = toPayment(await client().ask(`/v1/paykeys/${paykey.id}`)).paykey
    const [, foreign] = (await client().ask('/v1/accounts?status=active')).json.data as {
      id: string
    }[]
    const paykeyErrorItems = [{ reference: 'paykey', detail: expect.any(String) }]
    const refusedResponse = await client().post(
      `/v1/${type}s`,
      bodyBuilders[type](String(maskedToken)),
      paykey.headers,
    )
    expect(refusedResponse.json.error).toMatchObject({ status: 422, items: paykeyErrorItems })
    const foreignAccountResponse = await client().post(
      `/v1/${type}s`,
      bodyBuilders[type](paykey.token),
      {
        'service-account-id': `acct_${foreign?.id}`,
      },
    )
    expect(foreignAccountResponse.json.error).toMatchObject({
      status: 422,
      items: paykeyErrorItems,
    })
    expect(foreignAccountResponse.text).not.toContain(paykey.token)
  })

  test('requires an external ID unique within its type', async () => {
    const { own, answer } = await createPayment(type)
    const external_id = toPayment(answer).external_id
    const duplicateResponse = await client().post(
      `/v1/${type}s`,
      bodyBuilders[type](own.token, { external_id }),
      own.headers,
    )
    expect(duplicateResponse.json.error).toMatchObject({
      status: 422,
      items: [{ reference: 'external_id' }],
    })
    const otherType = type === 'charge' ? 'payout' : 'charge'
    expect(
      (
        await client().post(
          `/v1/${otherType}s`,
          bodyBuilders[otherType](own.token, { external_id }),
          own.headers,
        )
      ).status,
    ).toBe(201)
  })
})

test.each([
  ['internet', 'internet'],
  ['signed_agreement', 'signed_agreement'],
  ['signed', 'signed_agreement'],
])('the consent %s is returned as %s', async (consent_type, answered) => {
  expect(toPayment((await createPayment('charge', { consent_type })).answer).consent_type).toBe(
    answered,
  )
})

test.each([
  ['no consent', { consent_type: undefined }, 'consent_type'],
  ['another consent', { consent_type: 'spoken' }, 'consent_type'],
  ['another balance check', { config: { balance_check: 'maybe' } }, 'config.balance_check'],
])('a charge with %s is rejected', async (_why, overrides, reference) => {
  expect((await createPayment('charge', overrides)).answer.json.error).toMatchObject({
    status: 422,
    items: [{ reference }],
  })
})

test('a charge has a balance check by default, and a payout rejects balance check and consent', async () => {
  expect(
    toPayment((await createPayment('charge', { config: undefined })).answer).config,
  ).toMatchObject({ balance_check: 'enabled' })
  const { answer } = await createPayment('payout', {
    consent_type: 'internet',
    config: { balance_check: 'enabled' },
  })
  const expectedErrorItems = expect.arrayContaining([
    expect.objectContaining({ reference: 'config.balance_check' }),
    expect.objectContaining({ reference: 'consent_type' }),
  ])
  expect(answer.json.error).toMatchObject({ status: 422, items: expectedErrorItems })
})

test('the largest amount and the longest description are accepted', async () => {
  const description = 'é'.repeat(80)
  const { answer } = await createPayment('payout', { amount: 2_147_483_647, description })
  expect(toPayment(answer)).toMatchObject({ amount: '2147483647', description })
})
