import { notFound, unprocessable } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Account } from './account'
import type { AccountEntry } from './account-machine'

/** Returns the account of a request's path. Throws a 404 if it does not exist. */
export function findAccount({ sandbox, params }: Pick<Call, 'sandbox' | 'params'>): AccountEntry {
  const entry = sandbox.accounts.get(params.account_id ?? '')
  if (!entry) throw notFound('account')
  return entry
}

const ended: readonly Account['status'][] = ['rejected', 'inactive']

/**
 * Throws a 422 if an account was rejected or deactivated; `what` completes the error text. An account before onboarding passes, since a
 * platform prepares its accounts (provider-facts 3.4). Throws RangeError for an unknown account.
 */
export function requireOpenAccount({ accounts }: Sandbox, account: number, what: string): void {
  const status = accounts.at(account)?.doc.status
  if (status === undefined) throw new RangeError(`no account ${account}`)
  if (ended.includes(status)) throw unprocessable(`An account in status ${status} cannot ${what}.`)
}
