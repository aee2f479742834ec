import { describe, expect, test } from 'vitest'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { newCharge, newPayout } from '@/lib/operations/payment-input.schema'
import {
  createEmptyPaymentValues,
  findNewPaymentFaults,
  type NewPaymentValues,
  toNewPaymentFieldName,
  toNewPaymentInput,
} from './new-payment-fields'

const today = '2026-03-31'
const paykeyId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const inputSchemaByKind = { charge: newCharge, payout: newPayout }
const kinds: PaymentKind[] = ['charge', 'payout']

const buildValues = (
  kind: PaymentKind,
  overrides: Partial<NewPaymentValues> = {},
): NewPaymentValues => ({
  ...createEmptyPaymentValues(kind, paykeyId, today, 'abcdef0123456789'),
  amount: '1,250.00',
  description: 'Rent for April',
  consent_type: kind === 'charge' ? 'internet' : '',
  absent: true,
  ...overrides,
})

describe.each(kinds)('a new %s', (kind) => {
  test('has valid input for the operation, with the amount in cents', () => {
    const input = inputSchemaByKind[kind].parse(toNewPaymentInput(kind, buildValues(kind), true))
    expect(input).toMatchObject({
      amount: 125_000,
      currency: 'USD',
      payment_date: today,
      device: { ip_address: '0.0.0.0' },
    })
    expect(input.external_id).toBe(`${kind}-20260331-abcdef01`)
    expect(findNewPaymentFaults(kind, buildValues(kind), today)).toEqual({})
  })

  test('contains an outcome in the sandbox only, and a hold only if requested', () => {
    const heldValues = buildValues(kind, {
      auto_hold: true,
      auto_hold_message: ' Check the contract ',
    })
    expect(toNewPaymentInput(kind, heldValues, false).config).toEqual({
      ...(kind === 'charge' ? { balance_check: 'enabled' } : {}),
      auto_hold: true,
      auto_hold_message: 'Check the contract',
    })
    expect(
      toNewPaymentInput(kind, buildValues(kind, { auto_hold_message: 'left over' }), true).config,
    ).not.toHaveProperty('auto_hold_message')
    expect(toNewPaymentInput(kind, heldValues, true).config).toHaveProperty(
      'sandbox_outcome',
      'standard',
    )
  })

  test('names every missing field of an empty form', () => {
    const emptyValues = createEmptyPaymentValues(kind, null, today, 'abcdef01')
    const consentFields = kind === 'charge' ? ['consent_type'] : []
    expect(Object.keys(findNewPaymentFaults(kind, emptyValues, today)).sort()).toEqual(
      ['amount', ...consentFields, 'device', 'paykey_id'].sort(),
    )
    expect(
      inputSchemaByKind[kind].safeParse(toNewPaymentInput(kind, emptyValues, true)).success,
    ).toBe(false)
  })
})

test('rejects a payment date before today in New York and accepts today', () => {
  expect(
    findNewPaymentFaults('payout', buildValues('payout', { payment_date: '2026-03-30' }), today),
  ).toHaveProperty('payment_date')
  expect(
    findNewPaymentFaults('payout', buildValues('payout', { payment_date: today }), today),
  ).toEqual({})
})

test('rejects the placeholder IP address if the “no device” tick is missing', () => {
  expect(
    findNewPaymentFaults(
      'payout',
      buildValues('payout', { absent: false, device: '0.0.0.0' }),
      today,
    ),
  ).toHaveProperty('device')
})

test.each([
  ['device.ip_address', 'device'],
  ['paykey', 'paykey_id'],
  ['config.auto_hold_message', 'auto_hold_message'],
  ['amount', 'amount'],
])('an error about %s is at %s', (reference, field) => {
  expect(toNewPaymentFieldName(reference)).toBe(field)
})
