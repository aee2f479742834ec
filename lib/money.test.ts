import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMinorUnits, getAmountFaultText, parseCents, parseTypedWholeNumber } from './money'

describe('a typed amount', () => {
  test.each([
    ['1,250.50', 125_050],
    ['$1,250.50', 125_050],
    [' 1250.5 ', 125_050],
    ['0.01', 1],
    ['12', 1200],
    ['-5', -500],
    ['9,999,999,999,999.99', 999_999_999_999_999],
  ])('“%s” is parsed', (typed, cents) => {
    expect(parseCents(typed)).toBe(cents)
    expect(getAmountFaultText(typed)).toBeNull()
  })

  test.each([
    ['12,50', 'Use a point for cents: 12.50'],
    ['1998,05', 'Use a point for cents: 1998.05'],
    ['5000,00', 'Use a point for cents: 5000.00'],
    ['$12,5', 'Use a point for cents: 12.5'],
    ['1.250,50', 'Use a point for cents: 1250.50'],
  ])('“%s” is rejected with a correction', (typed, fault) => {
    expect(parseCents(typed)).toBeNull()
    expect(getAmountFaultText(typed)).toBe(fault)
  })

  test.each([
    '',
    ' ',
    '1,2,3',
    '1,25',
    '12,500,0',
    '1250.505',
    '1.250.500',
    '1 250',
    "1'250",
    '1e3',
    '01',
    '.5',
    '5.',
    '€5',
    '0x10',
    '１２',
    '$',
    '--1',
  ])('“%s” is rejected', (typed) => {
    expect(parseCents(typed)).toBeNull()
    expect(getAmountFaultText(typed)).not.toBeNull()
  })

  test('every formatted amount is parsed to the same amount', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 999_999_999_999_999 }),
        (cents) => parseCents(formatMinorUnits(cents)) === cents,
      ),
    )
  })

  test('every parsed text is a valid notation of its amount', () => {
    const typedTextArbitrary = fc.string({
      unit: fc.constantFrom(...'0123456789,.$- '),
      maxLength: 12,
    })
    const isValidNotation = (text: string) => {
      const cents = parseCents(text)
      return (
        cents === null ||
        listAmountNotations(Math.abs(cents)).includes(
          text.trim().replace(/^-/, '').replace('$', ''),
        )
      )
    }
    fc.assert(fc.property(typedTextArbitrary, isValidNotation), { numRuns: 20_000 })
  })
})

/**
 * Returns the valid ways to type an amount: with or without commas, and with or without trailing
 * zeros.
 */
function listAmountNotations(cents: number): string[] {
  const [whole = '', decimals = ''] = formatMinorUnits(cents).split('.')
  const decimalForms = [
    `.${decimals}`,
    ...(decimals.endsWith('0') ? [`.${decimals[0]}`] : []),
    ...(decimals === '00' ? [''] : []),
  ]
  return [whole, whole.replaceAll(',', '')].flatMap((units) =>
    decimalForms.map((end) => `${units}${end}`),
  )
}

test.each([
  ['2,000', 2000],
  [' 15 ', 15],
  ['1,2,3', null],
  ['1.5', null],
  ['', null],
])('“%s” is parsed as the whole number %s', (typed, number) => {
  expect(parseTypedWholeNumber(typed)).toBe(number)
})
