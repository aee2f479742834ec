/** `minor`: the service's amounts are whole cents. `major`: dollars with up to two decimals. */
export type AmountUnit = 'minor' | 'major'

/**
 * Returns null if `raw` is not a plain amount in that unit. Never guesses: "100.00" with `minor` is
 * null, because an amount that is wrong by a factor of 100 would be the worst error.
 */
export function toMinorUnits(
  raw: string | number | null | undefined,
  unit: AmountUnit = 'minor',
): number | null {
  const amountText = String(raw ?? '').trim()
  if (unit === 'minor') return /^-?\d{1,15}$/.test(amountText) ? Number(amountText) : null
  const amountMatch = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(amountText)
  if (!amountMatch) return null
  const minorUnits =
    Number(amountMatch[2]) * 100 + Number((amountMatch[3] ?? '').padEnd(2, '0') || 0)
  return amountMatch[1] === '-' ? -minorUnits : minorUnits
}

/** For example `1,234.56`, without a currency. */
export function formatMinorUnits(minor: number): string {
  const dollars = Math.trunc(Math.abs(minor) / 100)
  const centsText = String(Math.abs(minor) % 100).padStart(2, '0')
  return `${minor < 0 ? '−' : ''}${dollars.toLocaleString('en-US')}.${centsText}`
}

/** For example `$1,234.56`, `−$1,234.56` or `1,234.56 CAD`. Pass "" if the currency is unknown. */
export function moneyText(minor: number, currency = 'USD'): string {
  if (currency !== 'USD') return `${formatMinorUnits(minor)} ${currency || noCurrencyText}`
  return `${minor < 0 ? '−' : ''}$${formatMinorUnits(Math.abs(minor))}`
}

export const noCurrencyText = 'currency not readable'

/** Matches digits, or groups of three digits with commas, without leading zeros. */
const wholeNumberPattern = String.raw`(?:0|[1-9]\d{0,12}|[1-9]\d{0,2}(?:,\d{3}){1,4})`
const amountPattern = new RegExp(String.raw`^-?\$?${wholeNumberPattern}(?:\.\d{1,2})?$`)
const countPattern = new RegExp(`^${wholeNumberPattern}$`)
/** Matches an amount with a comma as the decimal separator: `12,50`, `1.250,50`. */
const decimalCommaPattern = /^\$?(\d{1,13}|\d{1,3}(?:\.\d{3}){1,4}),(\d{1,2})$/

/** Parses `1250.5`, `1,250.50` and `$1,250.50`; null for ambiguous text such as `12,50`. */
export function parseCents(typed: string): number | null {
  const plainAmount = amountPattern.test(typed.trim()) ? typed.replace(/[$,]/g, '') : ''
  return toMinorUnits(plainAmount, 'major')
}

/** Parses `1250` and `1,250`. Returns null for any other text. */
export const parseTypedWholeNumber = (typed: string): number | null =>
  countPattern.test(typed.trim()) ? Number(typed.trim().replaceAll(',', '')) : null

/** Null if `parseCents` can parse the text. */
export function getAmountFaultText(typed: string): string | null {
  if (parseCents(typed) !== null) return null
  const [, whole, cents] = decimalCommaPattern.exec(typed.trim()) ?? []
  return whole === undefined
    ? 'Must be an amount like 1,250.00.'
    : `Use a point for cents: ${whole.replaceAll('.', '')}.${cents}`
}
