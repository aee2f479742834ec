import { banks } from '@/sandbox/seed/names'

export const findBankName = (routingNumber: string): string | null => banks.find((bank) => bank.routing === routingNumber)?.name ?? null

const weights = [3, 7, 1] as const

/** True if the ninth digit is the check digit of the first eight (ABA). Also true for a test bank, whose number may have a wrong one. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (weights[place % 3] ?? 1), 0)
  return sum % 10 === 0 || findBankName(digits) !== null
}
