import { notFound } from '@/sandbox/http/problem'
import type { Call } from '@/sandbox/operation'
import type { PaykeyEntry } from './paykey-store'

/** Returns the paykey of a request's path. Throws a 404 if it does not exist or is not in the request's account. */
export function findPaykey({ sandbox, params, account }: Call<unknown, unknown>): PaykeyEntry {
  const found = sandbox.paykeys.get(params.id ?? '', account)
  if (!found) throw notFound('paykey')
  return found
}

/** Writes the journal row of a change to a paykey that was in status `from`. */
export function recordPaykey({ sandbox, effect }: Call<unknown, unknown>, { account, doc }: PaykeyEntry, from: string): void {
  effect({ target_id: doc.id, account_id: account === null ? '' : sandbox.accounts.idOf(account), from, to: doc.status })
}
