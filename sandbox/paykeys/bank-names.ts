import { banks } from '@/sandbox/seed/names'

/** The bank of a routing number, or null for one the sandbox has no name for. */
export const bankNameOf = (routingNumber: string): string | null => banks.find((bank) => bank.routing === routingNumber)?.name ?? null

const weights = [3, 7, 1] as const

/** True when the ninth digit fits the eight before it (ABA), or when it is one of the test banks, whose numbers need not fit. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (weights[place % 3] ?? 1), 0)
  return sum % 10 === 0 || bankNameOf(digits) !== null
}
