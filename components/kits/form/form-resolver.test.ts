import { expect, test } from 'vitest'
import { chargeRefund } from '@/lib/operations/payment-input.schema'
import { createFormResolver } from './form-resolver'

type Values = { amount: string; date: string }

const resolveFormValues = createFormResolver<Values>({
  schema: chargeRefund,
  toInput: ({ amount, date }) => ({
    id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
    amount: Number(amount),
    payment_date: date,
  }),
  check: ({ amount }): Record<string, string> =>
    amount === '' ? { amount: 'Enter the amount.' } : {},
  fieldOf: (reference) => (reference === 'payment_date' ? 'date' : reference),
})
const listFieldErrors = async (values: Values) => {
  const { errors } = await resolveFormValues(values, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  })
  return Object.fromEntries(Object.entries(errors).map(([name, fault]) => [name, fault?.message]))
}

test('returns the typed text if the operation accepts the parsed values', async () => {
  const values = { amount: '1200', date: '2026-04-30' }
  const resolverResult = await resolveFormValues(values, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  })
  expect(resolverResult).toEqual({ values, errors: {} })
})

test('shows a schema error at the field with the invalid value', async () => {
  expect(await listFieldErrors({ amount: '1200', date: 'soon' })).toEqual({
    date: expect.stringMatching(/./),
  })
})

test('a fault of the form goes before that of the schema', async () => {
  expect(await listFieldErrors({ amount: '', date: '2026-04-30' })).toEqual({
    amount: 'Enter the amount.',
  })
})
