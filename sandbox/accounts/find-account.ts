import { notFound } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { AccountEntry } from './account-machine'

/** Returns the account of a request's path. Throws a 404 if it does not exist. */
export function findAccount({ sandbox, params }: Pick<Call, 'sandbox' | 'params'>): AccountEntry {
  const entry = sandbox.accounts.get(params.account_id ?? '')
  if (!entry) throw notFound('account')
  return entry
}
