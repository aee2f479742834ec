import { unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Account } from './account'

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
