import { describe, expect, test } from 'vitest'
import {
  createUnmaskedSample,
  secretSamples,
  toWireSchema,
} from '@/tests/operations/answer-violations'
import { getSchemas } from './registry'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from './service-operations'

const createMaskedSample = (id: ServiceOperationId): unknown =>
  getSchemas(id).output.parse(createUnmaskedSample(toWireSchema(id)))
const findLeakedSecrets = (value: unknown): string[] =>
  Object.entries(secretSamples).flatMap(([name, [, proof]]) =>
    JSON.stringify(value).includes(proof) ? [name] : [],
  )

const maskedOperations = serviceOperationIds.filter(
  (id) => !getServiceOperation(id).sensitive && !getServiceOperation(id).internal,
)

test('the unmasked sample contains every secret', () => {
  expect(findLeakedSecrets(createUnmaskedSample(toWireSchema('customers.review'))).sort()).toEqual(
    Object.keys(secretSamples).sort(),
  )
})

test.each(maskedOperations)('%s contains no secret, whatever the service sends', (id) => {
  expect(findLeakedSecrets(createMaskedSample(id))).toEqual([])
})

describe('a reveal contains the requested data and never the token', () => {
  test.each<[ServiceOperationId, (keyof typeof secretSamples)[]]>([
    ['customers.unmask', ['address', 'dob', 'ein', 'email', 'phone', 'ssn', 'street']],
    ['paykeys.unmask', ['account']],
    ['charges.unmask', ['address']],
    ['payouts.unmask', ['address']],
    ['representatives.unmask', ['dob', 'email', 'phone', 'ssnEnd']],
    ['linked_bank_accounts.unmask', ['account']],
  ])('%s', (id, expected) => {
    expect(findLeakedSecrets(createMaskedSample(id)).sort()).toEqual(expected)
  })

  test('the cases cover every sensitive operation', () => {
    expect(serviceOperationIds.filter((id) => getServiceOperation(id).sensitive)).toHaveLength(6)
  })
})

test('the token is only in one response, whose operation is internal', () => {
  expect(createMaskedSample('paykeys.reveal')).toEqual({
    id: expect.any(String),
    paykey: secretSamples.token[0],
  })
  expect(getServiceOperation('paykeys.reveal').internal).toBe(true)
})

const toMaskedCustomer = (email: string | null, phone: string | null) => {
  const customer = {
    id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f',
    name: 'Ann',
    status: 'quarantined',
    email,
    phone,
  }
  return getSchemas('customers.get').output.parse(customer)
}

test.each([
  ['ann@example.com', 'a•••@example.com'],
  ['"ann@home"@example.com', '"•••@example.com'],
  ['ann at example', 'a•••'],
  ['', ''],
  [null, undefined],
])('the email address %j is masked as %j', (email, expected) => {
  expect(toMaskedCustomer(email, null)).toMatchObject({ email: expected })
})

test.each([
  ['+15125550137', '••• 0137'],
  ['0137', '•••'],
  ['', ''],
  [null, undefined],
])('the phone number %j is masked as %j', (phone, expected) => {
  expect(toMaskedCustomer(null, phone)).toMatchObject({ phone: expected })
})

test('an unknown status and missing fields are accepted', () => {
  expect(toMaskedCustomer(null, null)).toMatchObject({ status: 'quarantined', metadata: {} })
})

test.each([
  ['0.0.0.0', true],
  ['203.0.113.77', false],
  ['**.**.**.**', undefined],
  [null, undefined],
])('a device with the address %j is offline: %j', (ip_address, offline) => {
  const payout = {
    id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f',
    amount: '1',
    currency: 'USD',
    status: 'paid',
    device: { ip_address },
  }
  expect(getSchemas('payouts.get').output.parse(payout)).toMatchObject({ device: { offline } })
})

test('watch list links are web pages only', () => {
  const watchListMatches = [
    {
      list_name: 'A list',
      urls: ['https://lists.example/1', 'javascript:alert(1)', 'data:text/html,x'],
      match_fields: [],
    },
  ]
  const identity_details = {
    review_id: 'r',
    decision: 'review',
    watch_list: { decision: 'review', matches: watchListMatches },
  }
  const customer_details = {
    id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f',
    name: 'Ann',
    status: 'review',
  }
  expect(
    getSchemas('customers.review').output.parse({ customer_details, identity_details }),
  ).toMatchObject({
    identity_details: { watch_list: { matches: [{ urls: ['https://lists.example/1'] }] } },
  })
})
