import type { AccountPolicy } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import { uuidPattern } from '@/sandbox/store/new-id'
import { badRequest, notFound } from './problem'

const refuse = (detail: string) => badRequest(`Service-Account-Id ${detail}.`, [{ reference: 'Service-Account-Id', detail }])

/**
 * The number of the account a request is scoped to, from `acct_<uuid>` or the bare UUID; null for the whole platform. Throws 400 for a
 * malformed header, for a missing one where the operation makes an object that must belong to an account, and for one where path or body
 * names the account. An account nobody has is 404, not 403: a platform cannot tell it from one of another platform.
 */
export function scopeOf({ accounts }: Sandbox, policy: AccountPolicy, value: string | undefined): number | null {
  if (value === undefined && policy === 'required') throw refuse('is required: this object belongs to one account')
  if (value === undefined) return null
  if (policy === 'forbidden') throw refuse('must not be sent here: path or body names the account')
  const id = value.replace(/^acct_/, '')
  if (!uuidPattern.test(id)) throw refuse('must be acct_ and a UUID')
  const n = accounts.numberOf(id.toLowerCase())
  if (n === undefined) throw notFound('account')
  return n
}
