import { expect, test } from 'vitest'
import { addConfirmationField } from './action-form-options'

const checkTyped = (expected: string, typed: string) =>
  addConfirmationField({
    confirmation: { label: 'Type the customer’s name', expected },
    values: {},
  } as unknown as Parameters<typeof addConfirmationField>[0]).check?.({ typed } as never)

test.each([
  ['Ada  Lovelace', 'Ada Lovelace'],
  ['Ada\u00A0Lovelace', 'Ada Lovelace'],
  ['Ada\tLovelace', 'Ada Lovelace'],
  ['Jose\u0301', 'José'],
  ['Ada\u200B Lovelace', 'Ada Lovelace'],
  ['Siobhán O’Brien', "Siobhán O'Brien"],
])('the name “%s” is confirmed by “%s”, as it is shown', (expected, typed) => {
  expect(checkTyped(expected, typed)).toEqual({})
})

test.each([
  ['Ada Lovelace', 'ada lovelace'],
  ['Müller', 'Muller'],
  ['Ada Lovelace', ''],
])('the name “%s” is not confirmed by “%s”', (expected, typed) => {
  expect(checkTyped(expected, typed)).toEqual({ typed: 'Does not match yet.' })
})
