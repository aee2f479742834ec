import { expect, test } from 'vitest'
import { toE164, toEin, toRegionCode, toSsn, toWebAddress, toZipCode } from './typed-values'

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
  '+1 512 555',
  '+44 20 x',
  '+442079460018',
  'call me',
  '',
])('the text "%s" stays as typed, for the schema to judge', (typed) => {
  expect(toE164(typed)).toBe(typed)
})

test.each([
  ['+44 20 7946 0018', '+442079460018'],
  ['+49 (30) 1234-567', '+49301234567'],
])('the foreign phone number "%s" is converted to E.164', (typed, phone) => {
  expect(toE164(typed)).toBe(phone)
})

test.each([
  [toSsn, '123456789', '123-45-6789'],
  [toSsn, ' 123 45 6789 ', '123-45-6789'],
  [toSsn, '123–45–6789', '123-45-6789'],
  [toSsn, '123-45-6789', '123-45-6789'],
  [toSsn, '12345678', '12345678'],
  [toEin, '123456789', '12-3456789'],
  [toEin, '12 3456789', '12-3456789'],
  [toEin, '1234-56789', '1234-56789'],
  [toZipCode, '787011234', '78701-1234'],
  [toZipCode, '78701', '78701'],
  [toRegionCode, ' tx ', 'TX'],
  [toWebAddress, 'birchlane.example.com', 'https://birchlane.example.com'],
  [
    toWebAddress,
    ' birchlane.example.com:8080/shop?a=1 ',
    'https://birchlane.example.com:8080/shop?a=1',
  ],
  [toWebAddress, 'münchen.example', 'https://münchen.example'],
  [toWebAddress, 'http://birchlane.example.com', 'http://birchlane.example.com'],
  [toWebAddress, 'javascript:alert(1)', 'javascript:alert(1)'],
  [toWebAddress, 'ada@example.com', 'ada@example.com'],
  [toWebAddress, 'birchlane', 'birchlane'],
  [toWebAddress, '1.5', '1.5'],
  [toWebAddress, '', ''],
])('%o reads "%s" as "%s"', (normalize, typed, sent) => {
  expect(normalize(typed)).toBe(sent)
  expect(normalize(sent)).toBe(sent)
})
