import { notFound } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { AccountEntry } from './account-machine'

/** The account of a request's path. Throws the 404 when there is none. */
export function findAccount({ sandbox, params }: Pick<Call, 'sandbox' | 'params'>): AccountEntry {
  const entry = sandbox.accounts.get(params.account_id ?? '')
  if (!entry) throw notFound('account')
  return entry
}
