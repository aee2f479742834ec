/**
 * The unit of the service's amounts: `minor` is whole cents, `major` is dollars with up to two
 * decimals.
 */
export type AmountUnit = 'minor' | 'major'

/**
 * Parses an amount of the service into cents. Returns null if it is not a plain amount in that
 * unit. It never guesses: "100.00" with `minor` is null, because an amount that is wrong by a
 * factor of 100 would be the worst error.
 */
export function toMinorUnits(
  raw: string | number | null | undefined,
  unit: AmountUnit = 'minor',
): number | null {
  const text = String(raw ?? '').trim()
  if (unit === 'minor') return /^-?\d{1,15}$/.test(text) ? Number(text) : null
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return null
  const minor = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0') || 0)
  return match[1] === '-' ? -minor : minor
}

/** Returns cents as text: `1,234.56`, with a minus sign if negative, without a currency. */
export function formatMinorUnits(minor: number): string {
  const dollars = Math.trunc(Math.abs(minor) / 100)
  const cents = String(Math.abs(minor) % 100).padStart(2, '0')
  return `${minor < 0 ? '−' : ''}${dollars.toLocaleString('en-US')}.${cents}`
}

/**
 * Returns cents as text for a screen: `$1,234.56`, `−$1,234.56`, or `1,234.56 CAD`. Pass "" if the
 * currency is unknown.
 */
export function moneyText(minor: number, currency = 'USD'): string {
  if (currency !== 'USD') return `${formatMinorUnits(minor)} ${currency || noCurrencyText}`
  return `${minor < 0 ? '−' : ''}$${formatMinorUnits(Math.abs(minor))}`
}

/** Shown in place of a currency that could not be read. */
export const noCurrencyText = 'currency not readable'

/** Matches digits, or groups of three digits with commas, without leading zeros. */
const wholeNumberPattern = String.raw`(?:0|[1-9]\d{0,12}|[1-9]\d{0,2}(?:,\d{3}){1,4})`
const amountPattern = new RegExp(String.raw`^-?\$?${wholeNumberPattern}(?:\.\d{1,2})?$`)
const countPattern = new RegExp(`^${wholeNumberPattern}$`)
/** Matches an amount with a comma as the decimal separator: `12,50`, `1.250,50`. */
const decimalCommaPattern = /^\$?(\d{1,13}|\d{1,3}(?:\.\d{3}){1,4}),(\d{1,2})$/

/**
 * Parses a typed amount into cents: `1250.5`, `1,250.50`, `$1,250.50`, with or without spaces
 * around it. Returns null for any other text, and for ambiguous text such as `12,50`.
 */
export function parseCents(typed: string): number | null {
  const plainAmount = amountPattern.test(typed.trim()) ? typed.replace(/[$,]/g, '') : ''
  return toMinorUnits(plainAmount, 'major')
}

/** Parses a typed whole number, `1250` or `1,250`. Returns null for any other text. */
export const parseTypedWholeNumber = (typed: string): number | null =>
  countPattern.test(typed.trim()) ? Number(typed.trim().replaceAll(',', '')) : null

/**
 * Returns the error for a typed amount that `parseCents` cannot parse, with the correct form; null
 * if it can.
 */
export function amountFaultText(typed: string): string | null {
  if (parseCents(typed) !== null) return null
  const [, whole, cents] = decimalCommaPattern.exec(typed.trim()) ?? []
  return whole === undefined
    ? 'Must be an amount like 1,250.00.'
    : `Use a point for cents: ${whole.replaceAll('.', '')}.${cents}`
}
