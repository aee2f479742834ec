import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { schemasOf } from './registry'
import { type OperationId, operationIds, rowOf } from './rows'

type Json = { [name: string]: unknown }

/** One value for each thing that must not be shown, and the part of it that proves a leak. */
const secrets = {
  token: ['a1b2c3d4.02.5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e', '5e5e5e5e'],
  email: ['canary.person@example.com', 'canary.person'],
  phone: ['+15125550137', '512555'],
  account: ['900012345678', '90001234'],
  ssn: ['123-45-6789', '45-6789'],
  ein: ['12-3456789', '3456789'],
  dob: ['1980-02-28', '1980-02'],
  ssnEnd: ['4821', '4821'],
  tax: ['987650321', '98765'],
  address: ['203.0.113.77', '203.0.113'],
  street: ['1 Canary Lane', 'Canary Lane'],
} as const

const byName: Record<string, string> = {
  email: secrets.email[0],
  phone: secrets.phone[0],
  mobile_number: secrets.phone[0],
  account_number: secrets.account[0],
  account_mask: secrets.account[0],
  tan: secrets.account[0],
  ssn: secrets.ssn[0],
  ein: secrets.ein[0],
  dob: secrets.dob[0],
  ssn_last4: secrets.ssnEnd[0],
  tax_id: secrets.tax[0],
  company_id: secrets.tax[0],
  ip_address: secrets.address[0],
  accepted_ip: secrets.address[0],
  paykey: secrets.token[0],
  address1: secrets.street[0],
}

/** What a business tells the public about itself may stand on the screen. */
const isPublic = (path: string) => /business_profile\.(phone|support_channels\.(email|phone))$/.test(path)

function sampleText(schema: Json, path: string): string {
  const name = path.split('.').at(-1) ?? ''
  if (byName[name] && !isPublic(path)) return byName[name]
  if (schema.format === 'uuid' || name === 'id') return '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f'
  return name.endsWith('_at') ? '2026-03-31T14:05:00Z' : `a ${name}`
}

const plain: Record<string, unknown> = { number: 12, integer: 12, boolean: true }

/** An answer as a service without any masks would send it: every field filled, and every object with all the secrets besides. */
function unmaskedSample(schema: Json, path = ''): unknown {
  const [first] = (schema.anyOf ?? []) as Json[]
  if (first) return unmaskedSample(first, path)
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type)
  if (type === 'array') return [unmaskedSample((schema.items ?? {}) as Json, path)]
  if (type === 'object') return sampleObject(schema, path)
  return plain[type] ?? sampleText(schema, path)
}

function sampleObject(schema: Json, path: string): Json {
  if (!schema.properties) return { some_key: unmaskedSample((schema.additionalProperties ?? {}) as Json, `${path}.some_key`) }
  const fields = Object.entries(schema.properties as Record<string, Json>)
  return { ...byName, ...Object.fromEntries(fields.map(([name, field]) => [name, unmaskedSample(field, `${path}.${name}`)])) }
}

const shapeOf = (id: OperationId) => z.toJSONSchema(schemasOf(id).output, { io: 'input', unrepresentable: 'any' }) as Json
const shown = (id: OperationId): unknown => schemasOf(id).output.parse(unmaskedSample(shapeOf(id)))
const leaksIn = (value: unknown): string[] =>
  Object.entries(secrets).flatMap(([name, [, proof]]) => (JSON.stringify(value).includes(proof) ? [name] : []))

const ordinary = operationIds.filter((id) => !rowOf(id).sensitive && !rowOf(id).internal)

test('the sample itself holds every secret', () => {
  expect(leaksIn(unmaskedSample(shapeOf('customers.review'))).sort()).toEqual(Object.keys(secrets).sort())
})

test.each(ordinary)('%s shows no secret, whatever the service sends', (id) => {
  expect(leaksIn(shown(id))).toEqual([])
})

describe('what is unmasked is what was asked for, and never the token', () => {
  test.each<[OperationId, (keyof typeof secrets)[]]>([
    ['customers.unmask', ['address', 'dob', 'ein', 'email', 'phone', 'ssn', 'street']],
    ['paykeys.unmask', ['account']],
    ['charges.unmask', ['address']],
    ['payouts.unmask', ['address']],
    ['representatives.unmask', ['dob', 'email', 'phone', 'ssnEnd']],
    ['linked_bank_accounts.unmask', ['account']],
  ])('%s', (id, expected) => {
    expect(leaksIn(shown(id)).sort()).toEqual(expected)
  })

  test('every sensitive operation is looked at above', () => {
    expect(operationIds.filter((id) => rowOf(id).sensitive)).toHaveLength(6)
  })
})

test('the token is in one answer only, and that one has no route', () => {
  expect(shown('paykeys.reveal')).toEqual({ id: expect.any(String), paykey: secrets.token[0] })
  expect(rowOf('paykeys.reveal').internal).toBe(true)
})

const maskedOf = (email: string | null, phone: string | null) => {
  const customer = { id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f', name: 'Ann', status: 'quarantined', email, phone }
  return schemasOf('customers.get').output.parse(customer)
}

test.each([
  ['ann@example.com', 'a•••@example.com'],
  ['"ann@home"@example.com', '"•••@example.com'],
  ['ann at example', 'a•••'],
  ['', ''],
  [null, undefined],
])('the e-mail %j shows as %j', (email, expected) => {
  expect(maskedOf(email, null)).toMatchObject({ email: expected })
})

test.each([
  ['+15125550137', '••• 0137'],
  ['0137', '•••'],
  ['', ''],
  [null, undefined],
])('the phone number %j shows as %j', (phone, expected) => {
  expect(maskedOf(null, phone)).toMatchObject({ phone: expected })
})

test('an unknown state and missing fields pass', () => {
  expect(maskedOf(null, null)).toMatchObject({ status: 'quarantined', metadata: {} })
})

test.each([
  ['0.0.0.0', true],
  ['203.0.113.77', false],
  ['**.**.**.**', undefined],
  [null, undefined],
])('a device at %j is offline: %j', (ip_address, offline) => {
  const payout = { id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f', amount: '1', currency: 'USD', status: 'paid', device: { ip_address } }
  expect(schemasOf('payouts.get').output.parse(payout)).toMatchObject({ device: { offline } })
})

test('links of a watch list are web pages only', () => {
  const matches = [{ list_name: 'A list', urls: ['https://lists.example/1', 'javascript:alert(1)', 'data:text/html,x'], match_fields: [] }]
  const identity_details = { review_id: 'r', decision: 'review', watch_list: { decision: 'review', matches } }
  const customer_details = { id: '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f', name: 'Ann', status: 'review' }
  expect(schemasOf('customers.review').output.parse({ customer_details, identity_details })).toMatchObject({
    identity_details: { watch_list: { matches: [{ urls: ['https://lists.example/1'] }] } },
  })
})
