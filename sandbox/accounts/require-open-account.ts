import { unprocessable } from '@/sandbox/http/problem'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Account } from './account'

const ended: readonly Account['status'][] = ['rejected', 'inactive']

/**
 * Throws the 422 when an account was rejected or switched off: it gets nothing new. `what` says what it cannot do. One that is not onboarded yet
 * may, since a platform prepares its accounts (provider-facts 3.4). Throws RangeError when there is no such account.
 */
export function requireOpenAccount({ accounts }: Sandbox, account: number, what: string): void {
  const status = accounts.at(account)?.doc.status
  if (status === undefined) throw new RangeError(`no account ${account}`)
  if (ended.includes(status)) throw unprocessable(`An account in status ${status} cannot ${what}.`)
}
