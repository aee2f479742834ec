/** How the service writes amounts: `minor` is whole cents, `major` is dollars with up to two decimals. */
export type AmountUnit = 'minor' | 'major'

/**
 * Reads an amount as the service wrote it into integer minor units; null where the text is not a plain amount in that unit. It never guesses:
 * "100.00" under `minor` is null, because a factor of a hundred in a confirm sentence is the worst mistake this desk could make.
 */
export function minorUnits(raw: string | number | null | undefined, unit: AmountUnit = 'minor'): number | null {
  const text = String(raw ?? '').trim()
  if (unit === 'minor') return /^-?\d{1,15}$/.test(text) ? Number(text) : null
  const parts = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text)
  if (!parts) return null
  const minor = Number(parts[2]) * 100 + Number((parts[3] ?? '').padEnd(2, '0') || 0)
  return parts[1] === '-' ? -minor : minor
}

/** Minor units as people read them: `1,234.56`, the sign explicit, no currency. */
export function formatMinor(minor: number): string {
  const whole = Math.trunc(Math.abs(minor) / 100)
  const cents = String(Math.abs(minor) % 100).padStart(2, '0')
  return `${minor < 0 ? '−' : ''}${whole.toLocaleString('en-US')}.${cents}`
}

/** A typed amount like `1,250.00` in cents; null where it is no amount or none is typed. */
export const centsOf = (typed: string): number | null =>
  typed.trim() === '' ? null : minorUnits(typed.replaceAll(',', '').trim(), 'major')
