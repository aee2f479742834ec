import type { Dialect } from '@/sandbox/dialects/dialect'
import type { Sandbox } from '@/sandbox/sandbox'
import type { AccountPolicy } from './api-keys'
import { malformed, notFound } from './problem'

/**
 * Returns the row number of the account in the request's account header; null without the header, for the whole platform. Throws a 400 if
 * the header is malformed, if it is missing although `policy` requires it, or if path or body already name the account. Throws a 404 for an
 * unknown account: a platform cannot distinguish it from one of another platform.
 */
export function readAccountScope(
  { accounts }: Sandbox,
  { account: { name, form, read } }: Dialect,
  policy: AccountPolicy,
  value: string | undefined,
): number | null {
  const throwAccountHeaderError = (detail: string) => malformed(`${name} ${detail}.`, name, detail)
  if (value === undefined && policy === 'required') throw throwAccountHeaderError('is required: this object belongs to one account')
  if (value === undefined) return null
  if (policy === 'forbidden') throw throwAccountHeaderError('must not be sent here: path or body names the account')
  const id = read(value)
  if (id === undefined) throw throwAccountHeaderError(`must be ${form}`)
  const n = accounts.numberOf(id)
  if (n === undefined) throw notFound('account')
  return n
}
