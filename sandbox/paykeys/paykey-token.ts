import { randomBytes } from 'node:crypto'

/** A fresh full token: 8 hexadecimal digits, the version, 64 hexadecimal digits. */
export const newToken = (): string => `${randomBytes(4).toString('hex')}.02.${randomBytes(32).toString('hex')}`

/** The token as reads show it: three digits at each end and the version in the middle (seen at the provider). */
export function maskToken(token: string): string {
  const [head = '', version = '', tail = ''] = token.split('.')
  return `${head.slice(0, 3)}***.${version}.******${tail.slice(-3)}`
}

/** The account number as reads show it: the last four digits behind five stars, whatever its length. */
export const maskAccountNumber = (accountNumber: string): string => `*****${accountNumber.slice(-4)}`
