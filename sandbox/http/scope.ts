import type { Dialect } from '@/sandbox/dialects/dialect'
import type { Sandbox } from '@/sandbox/sandbox'
import type { AccountHeaderPolicy } from './api-keys'
import { makeMalformedProblem, makeNotFoundProblem } from './problem'

/**
 * Returns the row number of the account in the account header. Returns null without the header,
 * which means the whole platform. Throws a 400 for a malformed header or a violated `policy`, and a
 * 404 for an unknown account.
 */
export function readAccountRowNumber(
  { accounts }: Sandbox,
  { account: { name, form, read } }: Dialect,
  policy: AccountHeaderPolicy,
  value: string | undefined,
): number | null {
  const makeAccountHeaderError = (detail: string) =>
    makeMalformedProblem(`${name} ${detail}.`, name, detail)
  if (value === undefined && policy === 'required')
    throw makeAccountHeaderError('is required: this object belongs to one account')
  if (value === undefined) return null
  if (policy === 'forbidden')
    throw makeAccountHeaderError('must not be sent here: path or body names the account')
  const accountId = read(value)
  if (accountId === undefined) throw makeAccountHeaderError(`must be ${form}`)
  const n = accounts.numberOf(accountId)
  if (n === undefined) throw makeNotFoundProblem('account')
  return n
}
