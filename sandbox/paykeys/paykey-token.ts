import { randomBytes } from 'node:crypto'

/** Returns a new full token: 8 hexadecimal digits, the version, 64 hexadecimal digits. */
export const newToken = (): string => `${randomBytes(4).toString('hex')}.02.${randomBytes(32).toString('hex')}`

/** Returns the masked token: three digits at each end and the version in between (observed at the provider). */
export function maskToken(token: string): string {
  const [head = '', version = '', tail = ''] = token.split('.')
  return `${head.slice(0, 3)}***.${version}.******${tail.slice(-3)}`
}

/** Returns the masked account number: five stars and the last four digits, for any length. */
export const maskAccountNumber = (accountNumber: string): string => `*****${accountNumber.slice(-4)}`
