import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { AmountUnit } from '@/lib/money'
import { Amount } from './amount'

afterEach(cleanup)

const amountCases: [string, AmountUnit, string][] = [
  ['10000', 'minor', '$100.00'],
  ['123456789', 'minor', '$1,234,567.89'],
  ['-5', 'minor', '−$0.05'],
  ['100.5', 'major', '$100.50'],
  ['100.00', 'minor', '100.00 USD, unit unclear'],
  ['1e3', 'minor', '1e3 USD, unit unclear'],
]
test.each(amountCases)('%s in %s units reads %s', (raw, unit, text) => {
  const { container } = render(<Amount raw={raw} currency="USD" unit={unit} />)
  expect(container.textContent).toBe(text)
})

test('shows the code of another currency, and labels a missing one', () => {
  const renderAmountText = (currency: string) =>
    render(<Amount raw="10000" currency={currency} unit="minor" />).container.textContent
  expect([renderAmountText('CAD'), renderAmountText('')]).toEqual([
    '100.00 CAD',
    '100.00 currency not readable',
  ])
})
