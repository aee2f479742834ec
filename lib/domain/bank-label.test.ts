import { expect, test } from 'vitest'
import { formatBankLabel } from './bank-label'

test.each([
  ['CITIBANK NA - *9676', 'CITIBANK NA ••••9676'],
  ['BANK ****4553', 'BANK ••••4553'],
  ['Chase *1234', 'Chase ••••1234'],
  ['Chase-Morgan - 5', 'Chase-Morgan - 5'],
  ['*9676', '*9676'],
  ['', ''],
])('the label %j is shown as %j', (label, shown) => expect(formatBankLabel(label)).toBe(shown))
