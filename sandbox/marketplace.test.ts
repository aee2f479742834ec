import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendBankChoice } from '@/tests/sandbox/bridge-session'
import { createAccountNumber, linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { buildCustomerBody, createTestCustomer } from '@/tests/sandbox/own-customer'
import { buildChargeBody, buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { WebhookReceiver } from '@/tests/sandbox/webhook-receiver'

const receiver = await WebhookReceiver.open(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
afterAll(() => receiver.close())
const { client, process } = startSandboxPerFile('--integration', 'marketplace', ...receiver.flags)

type ServiceObject = Record<string, unknown> & { id: string; status: string }

/** The owner of customers and paykeys: no request about them names an account. */
const platform = { id: '', headers: {} }

let sellers: { id: string; headers: Record<string, string> }[] = []
beforeAll(async () => {
  const { json } = await client().ask('/v1/accounts?status=active&page_size=2')
  sellers = (json.data as ServiceObject[]).map(({ id }) => ({
    id,
    headers: client().accountHeaders(id),
  }))
})

const createCustomer = (overrides: Record<string, unknown> = {}) =>
  createTestCustomer(client(), platform, overrides)
const readIds = async (path: string, headers: Record<string, string> = {}) =>
  ((await client().ask(path, { headers })).json.data as ServiceObject[]).map(({ id }) => id)
const readAccountIds = async (list: 'journal' | 'events', objectId: string) => {
  const filter = list === 'journal' ? `target=${objectId}` : `object_id=${objectId}`
  return (await client().control(`${list}?${filter}`)).data.map(({ account_id }) => account_id)
}

/** Creates a payout from the same paykey to each of two accounts. */
async function payBothSellers() {
  const customer = await createCustomer()
  const paykey = await linkBankAccount(client(), platform, customer.id)
  const payouts: ServiceObject[] = []
  for (const { headers } of sellers) {
    const response = await client().post('/v1/payouts', buildPayoutBody(paykey.paykey), headers)
    expect(response.status).toBe(201)
    payouts.push(response.json.data as ServiceObject)
  }
  return { customer, paykey, payouts }
}

test('a customer pays two accounts, and each account lists only its own payments', async () => {
  const { customer, payouts } = await payBothSellers()
  const search = `/v1/payments?customer_id=${customer.id}`
  const payoutIds = payouts.map(({ id }) => id)
  expect((await readIds(search)).toSorted()).toEqual(payoutIds.toSorted())
  for (const [index, { id, headers }] of sellers.entries()) {
    const payoutId = payoutIds[index] ?? ''
    expect(await readIds(search, headers)).toEqual([payoutId])
    expect(await readAccountIds('journal', payoutId)).toEqual([id])
    expect(new Set(await readAccountIds('events', payoutId))).toEqual(new Set([id]))
    const read = await client().ask(`/v1/payouts/${payoutId}`, { headers: sellers[0]?.headers })
    expect(read.status).toBe(index === 0 ? 200 : 404)
  }
})

test('a charge takes its account from the header, and its paykey from the platform', async () => {
  const { paykey } = await linkNewPaykey()
  const [, seller] = sellers
  const created = await client().post('/v1/charges', buildChargeBody(paykey), seller?.headers)
  expect(created.status).toBe(201)
  const unknownPaykey = await client().post(
    '/v1/charges',
    buildChargeBody('x.02.y'),
    seller?.headers,
  )
  expect([unknownPaykey.status, unknownPaykey.json.error?.items]).toEqual([
    422,
    [{ reference: 'paykey', detail: 'is not the full token of a paykey of this platform' }],
  ])
})

async function linkNewPaykey(overrides: Record<string, unknown> = {}) {
  const customer = await createCustomer()
  return linkBankAccount(client(), platform, customer.id, overrides)
}

describe('customers and paykeys of the platform', () => {
  test('have no account in events, webhooks and the journal', async () => {
    const { customer, paykey } = await payBothSellers()
    await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })
    for (const { id } of [customer, paykey]) {
      const eventAccountIds = await readAccountIds('events', id)
      expect(eventAccountIds.length).toBeGreaterThan(2)
      expect(new Set(eventAccountIds)).toEqual(new Set([null]))
      expect(new Set(await readAccountIds('journal', id))).toEqual(new Set([null]))
      await expect.poll(() => receiver.about(id).length).toBe(eventAccountIds.length)
      for (const { event, verified } of receiver.about(id))
        expect([verified, event.account_id]).toEqual([true, null])
      const { data: deliveries } = await client().control(`webhooks/deliveries?object_id=${id}`)
      expect(new Set(deliveries.map(({ account_id }) => account_id))).toEqual(new Set([null]))
    }
  })

  test('have a unique e-mail address and reference on the platform', async () => {
    const { email } = await createCustomer({ external_id: 'buyer-1' })
    const [sameEmail, sameReference] = [
      await client().post('/v1/customers', buildCustomerBody({ email })),
      await client().post('/v1/customers', buildCustomerBody({ external_id: 'buyer-1' })),
    ]
    expect([sameEmail.status, sameEmail.json.error?.detail]).toEqual([
      422,
      'Another customer of this platform has this e-mail address.',
    ])
    expect([sameReference.status, sameReference.json.error?.items]).toEqual([
      422,
      [
        {
          reference: 'external_id',
          detail: 'is the reference of another customer of this platform',
        },
      ],
    ])
    const { type: _type, ...update } = buildCustomerBody({ email, status: 'verified' })
    const other = await createCustomer()
    expect((await client().put(`/v1/customers/${other.id}`, update)).status).toBe(422)
    await linkNewPaykey({ external_id: 'bank-1' })
    await expect(linkNewPaykey({ external_id: 'bank-1' })).rejects.toThrow(
      'is the reference of another paykey of this platform',
    )
  })

  test('can be unmasked, and created without verification', async () => {
    const customer = await createCustomer({
      type: 'business',
      config: { processing_method: 'skip' },
    })
    const paykey = await linkBankAccount(client(), platform, customer.id, {
      config: { processing_method: 'skip' },
    })
    const unmaskedCustomer = await client().ask(`/v1/customers/${customer.id}/unmasked`)
    const unmaskedPaykey = await client().ask(`/v1/paykeys/${paykey.id}/unmasked`)
    expect([unmaskedCustomer.status, unmaskedCustomer.json.data]).toMatchObject([
      200,
      { device: { ip_address: '198.51.100.23' } },
    ])
    expect([unmaskedPaykey.status, unmaskedPaykey.json.data]).toMatchObject([
      200,
      { paykey: paykey.paykey },
    ])
  })

  test('can be linked on the hosted page, whose token has no account', async () => {
    const { id } = await createCustomer()
    const { json } = await client().post('/v1/bridge/initialize', { customer_id: id })
    const { bridge_token } = json.data as { bridge_token: string }
    const [, claims = ''] = bridge_token.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      customer_id: id,
      account_id: null,
    })
    const linked = await sendBankChoice(process(), bridge_token, {
      ...{ way: 'typed', routing_number: '021000021', account_type: 'checking' },
      account_number: createAccountNumber(),
    })
    expect([linked.status, linked.json.data]).toMatchObject([201, { customer_id: id }])
    expect(await readAccountIds('journal', String(linked.json.data?.id))).toEqual([null])
  })
})

describe('a payment that follows another', () => {
  const send = (path: string, headers?: Record<string, string>) => client().post(path, {}, headers)

  test.each([
    ['charges', 'paid', 'refund'],
    ['charges', 'failed', 'resubmit'],
    ['payouts', 'failed', 'resubmit'],
  ])('of %s in %s by %s keeps the account', async (type, status, verb) => {
    const [seller, otherSeller] = sellers
    const { id } = await client().control<ServiceObject>(`objects/${type}`, {
      status,
      account_id: seller?.id,
    })
    const path = `/v1/${type}/${id}/${verb}`
    expect((await send(path)).status).toBe(400)
    expect((await send(path, otherSeller?.headers)).status).toBe(404)
    const { status: createdStatus, json } = await send(path, seller?.headers)
    expect(createdStatus).toBe(201)
    expect(await readAccountIds('journal', (json.data as ServiceObject).id)).toEqual([seller?.id])
  })

  test('and an upload of a proof need the account', async () => {
    const [seller, otherSeller] = sellers
    const { id } = await client().payout({ account_id: seller?.id })
    const upload = async (accountHeaders: Record<string, string> = {}) => {
      const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'))
      const path = `/v1/payouts/${id}/authorization`
      const options = { method: 'POST', body, headers: { ...headers, ...accountHeaders } }
      return (await client().ask(path, options)).status
    }
    expect([
      await upload(),
      await upload(otherSeller?.headers),
      await upload(seller?.headers),
    ]).toEqual([400, 404, 201])
  })
})

describe('a payment for a test', () => {
  test('pays the requested account, or the first one', async () => {
    const [firstSeller, secondSeller] = sellers
    const { id: customer_id } = await createCustomer()
    const account_id = secondSeller?.id
    const requested = await client().payout({ customer_id, account_id })
    const paykey_id = requested.paykey_details.id
    expect(requested.account_id).toBe(account_id)
    expect(await client().payout({ paykey_id, account_id })).toMatchObject({ account_id })
    expect(await client().payout({ paykey_id })).toMatchObject({
      account_id: firstSeller?.id,
      paykey_details: { id: paykey_id, customer_id },
    })
    expect(await client().payout({ account_id })).toMatchObject({ account_id })
  })
})
