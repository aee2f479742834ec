import type { Dialect } from '@/sandbox/dialects/dialect'
import type { Sandbox } from '@/sandbox/sandbox'
import type { AccountPolicy } from './account-header'
import { badRequest, notFound } from './problem'

/**
 * The number of the account a request is scoped to, from the value of the dialect's header; null for the whole platform. Throws 400 for a
 * malformed header, for a missing one where the operation makes an object that must belong to an account, and for one where path or body
 * names the account. An account nobody has is 404, not 403: a platform cannot tell it from one of another platform.
 */
export function scopeOf(
  { accounts }: Sandbox,
  { account: { name, form, read } }: Dialect,
  policy: AccountPolicy,
  value: string | undefined,
): number | null {
  const refuse = (detail: string) => badRequest(`${name} ${detail}.`, [{ reference: name, detail }])
  if (value === undefined && policy === 'required') throw refuse('is required: this object belongs to one account')
  if (value === undefined) return null
  if (policy === 'forbidden') throw refuse('must not be sent here: path or body names the account')
  const id = read(value)
  if (id === undefined) throw refuse(`must be ${form}`)
  const n = accounts.numberOf(id)
  if (n === undefined) throw notFound('account')
  return n
}
