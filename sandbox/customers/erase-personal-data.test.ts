import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  buildBankAccountBody,
  createAccountNumber,
  type LinkedPaykey,
} from '@/tests/sandbox/link-bank-account'
import {
  buildCustomerBody,
  findAccountWithConfiguration,
  type TestCustomer,
} from '@/tests/sandbox/own-customer'
import { buildChargeBody } from '@/tests/sandbox/own-paykey'
import type { SandboxResponse } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const personalFields = {
  name: 'Zephyrine Quillfeather',
  email: 'zephyrine@quill.example.org',
  phone: '+15125550987',
  address: { address1: '9 Plume Lane', city: 'Austin', state: 'TX', zip: '78701' },
  metadata: { nickname: 'Zeph' },
  external_id: 'quillfeather-1',
}
const personalTexts = [
  'Zephyrine',
  'Quillfeather',
  'zephyrine@',
  '5550987',
  'Plume Lane',
  'Zeph',
  'quillfeather-1',
]
const findPersonalTexts = (text: string) => personalTexts.filter((trace) => text.includes(trace))

const makeIdempotencyHeader = () => ({
  'idempotency-key': `del_${randomUUID().replaceAll('-', '')}`,
})
const getId = ({ json }: SandboxResponse) => (json.data as { id: string }).id

/**
 * Sends a write request under a new idempotency key. The returned function `again` repeats the
 * request under the same key.
 */
async function sendRepeatableWrite(
  send: (key: Record<string, string>) => Promise<SandboxResponse>,
) {
  const idempotencyHeader = makeIdempotencyHeader()
  const firstResponse = await send(idempotencyHeader)
  expect([firstResponse.status, firstResponse.json.error]).toEqual([expect.any(Number), undefined])
  return { first: firstResponse, id: getId(firstResponse), again: () => send(idempotencyHeader) }
}

/**
 * Creates a customer with paykeys of every kind, a charge and its refund. Each write has an
 * idempotency key.
 */
async function createCustomerData() {
  const account = await findAccountWithConfiguration(client(), { allow_data_unmask: true })
  const config = { sandbox_outcome: 'review' }
  const customer = await sendRepeatableWrite((key) =>
    client().post('/v1/customers', buildCustomerBody({ ...personalFields, config }), {
      ...account.headers,
      ...key,
    }),
  )
  const path = `/v1/customers/${customer.id}`
  const decisionWrite = await sendRepeatableWrite((key) =>
    client().patch(`${path}/review`, { status: 'verified' }, key),
  )
  const { type: _type, ...named } = buildCustomerBody(personalFields)
  const updateBody = { ...named, status: 'verified' }
  const updateWrite = await sendRepeatableWrite((key) => client().put(path, updateBody, key))
  const plaidBody = { customer_id: customer.id, plaid_token: `processor-${createAccountNumber()}` }
  const plaidLinkWrite = await sendRepeatableWrite((key) =>
    client().post('/v1/bridge/plaid', plaidBody, { ...account.headers, ...key }),
  )
  const bankAccountBody = buildBankAccountBody(customer.id)
  const bankAccountLinkWrite = await sendRepeatableWrite((key) =>
    client().post('/v1/bridge/bank_account', bankAccountBody, { ...account.headers, ...key }),
  )
  const { paykey } = bankAccountLinkWrite.first.json.data as LinkedPaykey
  const body = buildChargeBody(paykey, {
    config: { balance_check: 'disabled', sandbox_outcome: 'paid' },
  })
  const charge = await sendRepeatableWrite((key) =>
    client().post('/v1/charges', body, { ...account.headers, ...key }),
  )
  await client().control('clock', { advance_seconds: 300 })
  const refund = await sendRepeatableWrite((key) =>
    client().post(`/v1/charges/${charge.id}/refund`, {}, { ...account.headers, ...key }),
  )
  return {
    account,
    customer,
    decided: decisionWrite,
    updated: updateWrite,
    seen: plaidLinkWrite,
    typed: bankAccountLinkWrite,
    charge,
    refund,
    number: String(bankAccountBody.account_number),
  }
}

const readEventsText = async () =>
  JSON.stringify((await client().control('events?limit=1000')).data)

test('a permanent deletion removes the customer’s data from all events and stored responses', async () => {
  const { customer, decided, updated, seen, typed, charge, refund, number } =
    await createCustomerData()
  expect(findPersonalTexts(await readEventsText())).toEqual(personalTexts)
  expect((await client().ask(`/v1/paykeys/${typed.id}/unmasked`)).text).toContain(number)
  const deleteResponse = await client().ask(`/v1/customers/${customer.id}`, { method: 'DELETE' })
  expect(deleteResponse.json.data).toMatchObject({ id: customer.id, name: personalFields.name })

  expect(findPersonalTexts(await readEventsText())).toEqual([])
  const { data: customerEvents } = await client().control<{
    data: { type: string; payload: { data: TestCustomer } }[]
  }>(`events?object_id=${customer.id}`)
  // The customer's events still exist, but contain no personal data.
  expect(customerEvents.map(({ type, payload }) => [type, payload.data.status])).toEqual([
    ['customer.created.v1', 'review'],
    ...['review', 'verified', 'verified', 'verified'].map((status) => [
      'customer.event.v1',
      status,
    ]),
  ])
  for (const { id } of [charge, refund]) {
    const { data: events } = await client().control<{
      data: { payload: { data: Record<string, unknown> } }[]
    }>(`events?object_id=${id}`)
    const deletedCustomer = {
      id: customer.id,
      name: 'Deleted customer',
      customer_type: '',
      email: '',
      phone: '',
    }
    for (const { payload } of events) expect(payload.data.customer_details).toEqual(deletedCustomer)
  }

  for (const { first, again } of [customer, decided, updated, seen, typed, charge, refund]) {
    const replayedResponse = await again()
    expect([replayedResponse.status, replayedResponse.headers.get('idempotent-replayed')]).toEqual([
      first.status,
      'true',
    ])
    expect(findPersonalTexts(replayedResponse.text)).toEqual([])
    expect([getId(replayedResponse), replayedResponse.json.meta]).toEqual([
      getId(first),
      first.json.meta,
    ])
  }
  for (const { id } of [charge, refund]) expect(await client().effects(id)).toHaveLength(1)
})

test('bank accounts of a deleted customer cannot be unmasked', async () => {
  const account = await findAccountWithConfiguration(client(), { allow_data_unmask: true })
  const { id } = await sendRepeatableWrite((key) =>
    client().post('/v1/customers', buildCustomerBody(), { ...account.headers, ...key }),
  )
  const body = buildBankAccountBody(id)
  const paykey = await sendRepeatableWrite((key) =>
    client().post('/v1/bridge/bank_account', body, { ...account.headers, ...key }),
  )
  await client().ask(`/v1/customers/${id}`, { method: 'DELETE' })
  const response = await client().ask(`/v1/paykeys/${paykey.id}/unmasked`)
  expect([response.status, response.json.error?.detail]).toEqual([
    403,
    expect.stringContaining('was deleted'),
  ])
  expect(response.text).not.toContain(String(body.account_number))
})

test('another customer with the same name keeps it', async () => {
  const account = await findAccountWithConfiguration(client())
  const makeCustomer = () => {
    const body = buildCustomerBody({ name: 'Ines Moreau' })
    return sendRepeatableWrite((key) =>
      client().post('/v1/customers', body, { ...account.headers, ...key }),
    )
  }
  const [one, other] = [await makeCustomer(), await makeCustomer()]
  await client().ask(`/v1/customers/${one.id}`, { method: 'DELETE' })
  expect((await other.again()).text).toBe(other.first.text)
  const { data } = await client().control<{ data: { payload: { data: TestCustomer } }[] }>(
    `events?object_id=${other.id}`,
  )
  expect(data.map(({ payload }) => payload.data.name)).toEqual(['Ines Moreau', 'Ines Moreau'])
})
