import type { Dialect } from '@/sandbox/dialects/dialect'
import { directAccountRowNumber, type Integration } from '@/sandbox/integration'
import type { Sandbox } from '@/sandbox/sandbox'
import { type AccountHeaderPolicy, getAccountHeaderRule } from './api-keys'
import { makeMalformedProblem, makeNotFoundProblem } from './problem'

/** Why a request must not name an account, as the end of an error text. */
function explainForbiddenHeader(policy: AccountHeaderPolicy, integration: Integration): string {
  if (integration === 'account')
    return 'must not be sent: a direct account has no other account to name'
  return policy === 'forbidden'
    ? 'must not be sent here: path or body names the account'
    : 'must not be sent here: the platform owns this object'
}

/**
 * Returns the row number of the account in the account header. Returns null without the header,
 * which means the whole platform. A direct account has no header: its own row number is returned
 * unless the path or the body names the account. Throws a 400 for a malformed header or a violated
 * `policy`, and a 404 for an unknown account.
 */
export function readAccountRowNumber(
  { accounts, integration }: Sandbox,
  { account: { name, form, read } }: Dialect,
  policy: AccountHeaderPolicy,
  value: string | undefined,
): number | null {
  const makeAccountHeaderError = (detail: string) =>
    makeMalformedProblem(`${name} ${detail}.`, name, detail)
  const rule = getAccountHeaderRule(policy, integration)
  if (value === undefined) {
    if (rule === 'required')
      throw makeAccountHeaderError('is required: this object belongs to one account')
    return integration === 'account' && policy !== 'forbidden' ? directAccountRowNumber : null
  }
  if (rule === 'forbidden')
    throw makeAccountHeaderError(explainForbiddenHeader(policy, integration))
  const accountId = read(value)
  if (accountId === undefined) throw makeAccountHeaderError(`must be ${form}`)
  const n = accounts.numberOf(accountId)
  if (n === undefined) throw makeNotFoundProblem('account')
  return n
}
