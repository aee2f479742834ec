import { expect, test } from 'vitest'
import { toE164 } from './phone'

test.each([
  '(512) 555-0100',
  '512-555-0100',
  '512.555.0100',
  '512 555 0100',
  '5125550100',
  '+1 (512) 555-0100',
  '1-512-555-0100',
  ' +15125550100 ',
])('the US phone number "%s" is converted to E.164', (typed) => {
  expect(toE164(typed)).toBe('+15125550100')
})

test.each([
  '555-0100',
  '(512 555-0100',
  '112-555-0100',
  '512-055-0100',
  '512-555-01000',
  '+44 20 7946 0018',
  '+442079460018',
  'call me',
  '',
])('the text "%s" stays as typed, for the schema to judge', (typed) => {
  expect(toE164(typed)).toBe(typed)
})
