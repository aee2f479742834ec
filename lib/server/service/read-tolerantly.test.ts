import { describe, expect, test } from 'vitest'
import { getUnreadableFields } from '@/lib/operations/answer'
import { getSchemas } from '@/lib/operations/registry'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { readTolerantly } from './read-tolerantly'

const id = '018f0c1e-7a3b-7c2d-9e10-0a1b2c3d0e5f'
const otherId = '018f0c1e-7a3b-4c2d-9e10-0a1b2c3d0e60'

const parseSample = (operation: ServiceOperationId, value: unknown) =>
  readTolerantly(getSchemas(operation).output, value)
const createPayout = (overrides: Record<string, unknown> = {}) => ({
  id,
  amount: '12500',
  currency: 'USD',
  status: 'on_hold',
  external_id: 'r-1',
  ...overrides,
})
const listUnreadableFields = (parseResult: ReturnType<typeof parseSample>) =>
  getUnreadableFields(parseResult?.data)
const parsePayoutWith = (overrides: Record<string, unknown>) =>
  parseSample('payouts.get', createPayout(overrides))

describe('reads both allowed forms as one', () => {
  test.each<[string, unknown, Record<string, unknown>]>([
    ['amount as text', { amount: '12500' }, { amount: '12500' }],
    ['amount as integer', { amount: 12500 }, { amount: '12500' }],
    ['amount with decimals, which nobody guesses at', { amount: '125.00' }, { amount: '125.00' }],
    ['no amount', { amount: null }, { amount: '' }],
    ['an unknown status', { status: 'levitating' }, { status: 'levitating' }],
    ['no status', { status: null }, { status: '' }],
    [
      'a balance as integer',
      { paykey_details: { id, balance: 900 } },
      { paykey_details: { id, balance: '900' } },
    ],
    ['an id of another version', { id: otherId.toUpperCase() }, { id: otherId }],
    [
      'a time without a zone',
      { created_at: '2026-03-31T14:05:00' },
      { created_at: '2026-03-31T14:05:00Z' },
    ],
    [
      'a time with seven digits',
      { created_at: '2026-03-31T14:05:00.1234567Z' },
      { created_at: '2026-03-31T14:05:00.1234567Z' },
    ],
    ['a flag in words', { is_refund: 'true' }, { is_refund: true }],
    ['a code as a number', { status_details: { code: 29 } }, { status_details: { code: '29' } }],
    [
      'null for every list and map',
      { documents: null, trace_ids: null, funding_ids: null },
      { documents: [], trace_ids: {}, funding_ids: [] },
    ],
    [
      'related payments as a list',
      { related_payments: [{ id: otherId, relationship: 'original', payment_type: 'charge' }] },
      { related_payments: [{ id: otherId, relationship: 'original', payment_type: 'charge' }] },
    ],
    [
      'related payments as a map',
      { is_refund: false, related_payments: { [otherId]: 'resubmit' } },
      { related_payments: [{ id: otherId, relationship: 'resubmit', payment_type: 'payout' }] },
    ],
    [
      'the charge of a refund in a map',
      { is_refund: true, is_resubmit: false, related_payments: { [otherId]: 'original' } },
      { related_payments: [{ id: otherId, relationship: 'original', payment_type: 'charge' }] },
    ],
    [
      'an original that could be either',
      { is_refund: true, is_resubmit: true, related_payments: { [otherId]: 'original' } },
      { related_payments: [{ id: otherId, relationship: 'original', payment_type: '' }] },
    ],
  ])('%s', (_, more, expected) => {
    const tolerantResult = parsePayoutWith(more as Record<string, unknown>)
    expect(tolerantResult?.data).toMatchObject(expected)
    expect(tolerantResult?.paths).toEqual({})
    expect(tolerantResult?.data).not.toHaveProperty('unreadable')
  })

  test('a related payment of a charge in a map', () => {
    const chargeResult = parseSample(
      'charges.get',
      createPayout({ related_payments: { [otherId]: 'refund', [id]: 'resubmit' } }),
    )
    expect(chargeResult?.data).toMatchObject({
      related_payments: [{ payment_type: 'payout' }, { payment_type: 'charge' }],
    })
  })
})

describe('omits, reports and counts unreadable data', () => {
  test.each<
    [string, Record<string, unknown>, Record<string, unknown>, Record<string, number>, unknown[]]
  >([
    [
      'a text that is an object',
      { description: { en: 'Rent' } },
      { external_id: 'r-1' },
      { description: 1 },
      [{ field: 'description', raw: '{"en":"•••"}' }],
    ],
    [
      'an amount that is an object',
      { amount: { value: 12500, currency: 'USD' } },
      { amount: '' },
      { amount: 1 },
      [{ field: 'amount', raw: '{"value":12500,"currency":"USD"}' }],
    ],
    [
      'a time that is none',
      { created_at: 'soon' },
      { external_id: 'r-1' },
      { created_at: 1 },
      [{ field: 'created_at', raw: 'soon' }],
    ],
    [
      'a nested id that is none',
      { customer_details: { id: 'cus_1', name: 'Ann' } },
      { customer_details: { name: 'Ann' } },
      { 'customer_details.id': 1 },
      [{ field: 'customer_details.id', raw: 'cus_1' }],
    ],
    [
      'a list that is one object',
      { documents: { document_id: id } },
      { documents: [] },
      { documents: 1 },
      [{ field: 'documents' }],
    ],
    [
      'entries of a list, the others stay',
      { funding_ids: ['a', id, 7] },
      { funding_ids: [id] },
      { 'funding_ids.[]': 2 },
      [
        { field: 'funding_ids.0', raw: 'a' },
        { field: 'funding_ids.2', raw: '7' },
      ],
    ],
    [
      'an entry of related payments',
      { related_payments: [{ id: 'x' }, { id: otherId }] },
      { related_payments: [{ id: otherId }] },
      { 'related_payments.[].id': 1, 'related_payments.[]': 1 },
      [{ field: 'related_payments.0' }, { field: 'related_payments.0.id', raw: 'x' }],
    ],
    [
      'an entry of a map of related payments',
      { related_payments: { [otherId]: ['?'], [id]: 'resubmit' } },
      { related_payments: [{ id }] },
      { 'related_payments.*': 1 },
      [{ raw: '["?"]' }],
    ],
    [
      'a map that is a list',
      { trace_ids: ['x'] },
      { trace_ids: {} },
      { trace_ids: 1 },
      [{ field: 'trace_ids' }],
    ],
    [
      'one entry of a map, whose key is not logged',
      { metadata: { 'ann@example.com': ['x'], order: '7' } },
      { metadata: { order: '7' } },
      { 'metadata.*': 1 },
      [{ raw: '["x"]' }],
    ],
    [
      'two fields of one object',
      { status_details: { message: [], changed_at: 'x', reason: 'ok' } },
      { status_details: { reason: 'ok' } },
      { 'status_details.message': 1, 'status_details.changed_at': 1 },
      [{}, {}],
    ],
    [
      'a status as long as a letter',
      { status: 'x'.repeat(900) },
      { status: '' },
      { status: 1 },
      [{ field: 'status' }],
    ],
  ])('%s', (_, more, expected, paths, unreadable) => {
    const payoutResult = parsePayoutWith(more)
    expect(payoutResult?.data).toMatchObject(expected)
    expect(payoutResult?.paths).toEqual(paths)
    expect(listUnreadableFields(payoutResult)).toMatchObject(unreadable)
  })

  test('an unreadable row is listed with its ID and does not affect other rows', () => {
    const paymentRows = [
      createPayout({ payment_type: 'payout' }),
      'rubbish',
      createPayout({ id: 'pay_77' }),
      null,
      createPayout({ id: otherId, amount: [] }),
    ]
    const paymentsResult = parseSample('payments.search', paymentRows)
    expect(paymentsResult?.data).toMatchObject([
      { id },
      { id: otherId, amount: '', unreadable: [{ field: 'amount' }] },
    ])
    expect(paymentsResult?.rows.map((row) => row.id)).toEqual([null, 'pay_77', null])
    expect(paymentsResult?.paths).toEqual({ '[]': 3, '[].amount': 1 })
  })

  test.each([
    ['a text', 'x'],
    ['a list', [createPayout()]],
    ['nothing', null],
    ['an object without an id', { status: 'paid' }],
  ])('%s is not a payout', (_, value) => {
    expect(parseSample('payouts.get', value)).toBeNull()
  })

  test.each([
    ['an object', {}],
    ['nothing', null],
  ])('%s is not a list', (_, value) => {
    expect(parseSample('payments.search', value)).toBeNull()
  })
})

describe('the raw data of an unreadable field', () => {
  const joinUnreadableRaw = (overrides: Record<string, unknown>) =>
    listUnreadableFields(parsePayoutWith(overrides))
      .map(({ raw }) => raw)
      .join()

  test.each<[string, Record<string, unknown>]>([
    ['an e-mail in a field of its own', { customer_details: { email: ['ann@example.com'] } }],
    ['an e-mail in another text', { description: ['write to ann@example.com'] }],
    ['an e-mail in a field nobody declared', { description: { contact: 'ann@example.com' } }],
    ['an address', { device: { ip_address: { v4: '203.0.113.77' } } }],
    ['an account number', { paykey_details: { label: ['JPM 900012345678'] } }],
    ['a number in figures', { description: [900012345678] }],
    [
      'a token',
      {
        status_details: [
          'a1b2c3d4.02.5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e',
        ],
      },
    ],
  ])('%s', (_, more) => {
    expect(joinUnreadableRaw(more)).not.toMatch(/ann@|203\.0|9000123|5e5e5e/)
  })

  test('is cut if it is long', () => {
    expect(joinUnreadableRaw({ description: ['word '.repeat(500)] }).length).toBeLessThan(310)
  })
})

test.each(['__proto__', 'constructor', 'toString'])('a field named %s is read safely', (name) => {
  const oddPayment = JSON.parse(
    `{"id":"${id}","amount":"1","currency":"USD","status":"paid","metadata":{"${name}":[1]},"trace_ids":{"${name}":"x"}}`,
  )
  expect(parseSample('payouts.get', oddPayment)?.data).toMatchObject({ id })
})

test('a deeply nested field is omitted as unreadable', () => {
  const deepValue = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  expect(parsePayoutWith({ description: deepValue })?.paths).toEqual({ description: 1 })
})

test('the input stays unchanged', () => {
  const malformedPayout = createPayout({ description: [], funding_ids: ['a', id] })
  const malformedPayoutCopy = structuredClone(malformedPayout)
  parseSample('payouts.get', malformedPayout)
  expect(malformedPayout).toEqual(malformedPayoutCopy)
})
