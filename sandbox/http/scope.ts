import type { Dialect } from '@/sandbox/dialects/dialect'
import type { Sandbox } from '@/sandbox/sandbox'
import type { AccountHeaderPolicy } from './api-keys'
import { malformed, notFound } from './problem'

/**
 * Returns the row number of the account that the account header names. Without the header, returns
 * null, which means the whole platform. Throws a 400 if the header is malformed. Also throws a 400
 * if `policy` is `required` and the header is missing, or if `policy` is `forbidden` and the header
 * is present. Throws a 404 for an unknown account, which may also be an account of another
 * platform.
 */
export function readAccountScope(
  { accounts }: Sandbox,
  { account: { name, form, read } }: Dialect,
  policy: AccountHeaderPolicy,
  value: string | undefined,
): number | null {
  const makeAccountHeaderError = (detail: string) => malformed(`${name} ${detail}.`, name, detail)
  if (value === undefined && policy === 'required')
    throw makeAccountHeaderError('is required: this object belongs to one account')
  if (value === undefined) return null
  if (policy === 'forbidden')
    throw makeAccountHeaderError('must not be sent here: path or body names the account')
  const id = read(value)
  if (id === undefined) throw makeAccountHeaderError(`must be ${form}`)
  const n = accounts.numberOf(id)
  if (n === undefined) throw notFound('account')
  return n
}
