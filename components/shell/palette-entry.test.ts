import { expect, test } from 'vitest'
import { fitOf, fitting, type PaletteGroup } from './palette-entry'

test.each([
  ['pay', 'Payouts', undefined, 3],
  ['create a customer', 'Create a customer', 'a person or a business', 3],
  ['customer create', 'Create a customer', 'a person or a business', 2],
  ['create a customer', 'Create a payout', 'pay a customer', 1],
  ['linked', 'Linked bank accounts', undefined, 3],
  ['accounts', 'Linked bank accounts', undefined, 2],
  ['an', 'Organizations', undefined, 0],
  ['outs', 'Payouts', undefined, 0],
  ['', 'Payouts', undefined, 3],
  ['  ', 'Payouts', undefined, 3],
  ['acct_018c', 'Acme', 'acct_018cc2bf-d100-71de', 1],
  ['zoë', 'Zoë & Söhne', undefined, 3],
] as const)('%j fits %j (%j) as %i', (typed, title, note, fit) => expect(fitOf(typed, title, note)).toBe(fit))

const line = (title: string, note?: string) => ({ value: title, title, note, run: () => {} })
const groups: PaletteGroup[] = [
  { heading: 'Pages', entries: [line('Home'), line('Linked bank accounts'), line('Accounts')] },
  { heading: 'Actions', entries: [line('Create a payout', 'pay a customer'), line('Create a customer')] },
]
const shown = (typed: string) => fitting(typed, groups).flatMap(({ heading, entries }) => [heading, ...entries.map(({ title }) => title)])

test('the best line stands first, in its group and before other groups', () => {
  expect(shown('create a customer')).toEqual(['Actions', 'Create a customer', 'Create a payout'])
  expect(shown('accounts')).toEqual(['Pages', 'Accounts', 'Linked bank accounts'])
})

test('nothing typed keeps everything as it stands, and what fits nothing leaves nothing', () => {
  expect(shown('')).toEqual(['Pages', 'Home', 'Linked bank accounts', 'Accounts', 'Actions', 'Create a payout', 'Create a customer'])
  expect(shown('zebra')).toEqual([])
})
