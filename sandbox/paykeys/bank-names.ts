import { banks } from '@/sandbox/seed/names'

export const findBankName = (routingNumber: string): string | null =>
  banks.find((bank) => bank.routing === routingNumber)?.name ?? null

const checkDigitWeights = [3, 7, 1] as const

/** Verifies the ABA check digit. Accepts all test banks, because some have a wrong check digit. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || digits === '000000000') return false
  const sum = [...digits].reduce(
    (total, digit, place) => total + Number(digit) * (checkDigitWeights[place % 3] ?? 1),
    0,
  )
  return sum % 10 === 0 || findBankName(digits) !== null
}
