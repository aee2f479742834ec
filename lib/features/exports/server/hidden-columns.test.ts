import { expect, test } from 'vitest'
import { omitHiddenColumns } from './hidden-columns'
import { customerColumns, paymentColumns } from './record-columns'

const listNames = (columns: readonly { name: string }[]) => columns.map(({ name }) => name)

test('the file omits what a person has hidden in the list, and nothing else', () => {
  const names = listNames(paymentColumns)
  const shownNames = listNames(omitHiddenColumns(paymentColumns, ['bank', 'date', 'constructor']))
  expect(names.filter((name) => !shownNames.includes(name))).toEqual([
    'bank_account',
    'payment_date',
  ])
  expect(listNames(omitHiddenColumns(paymentColumns, ['']))).toEqual(names)
  expect(
    listNames(omitHiddenColumns(customerColumns, ['kind', 'contact', 'state', 'account'])),
  ).toEqual(['id', 'name', 'external_id', 'created_at', 'updated_at'])
})

test('a payment has its trace numbers, paykey and status message', () => {
  expect(listNames(paymentColumns)).toEqual(
    expect.arrayContaining(['trace_numbers', 'paykey_id', 'status_message', 'updated_at']),
  )
})
