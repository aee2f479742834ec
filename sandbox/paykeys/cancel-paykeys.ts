import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { movePaykey } from './move-paykey'
import { paykeyMachine } from './paykey-machine'

/** Removes the names from a paykey's verification: a deletion must remove all personal data. */
function forgetNames({ paykeys: { evidence } }: Sandbox, paykeyId: string): void {
  const found = evidence.get(paykeyId)
  const { name_match } = found?.doc.verification.breakdown ?? {}
  if (!found || !name_match) return
  Object.assign(name_match, { names_on_account: [], matched_name: null, customer_name: '' })
  evidence.save(found)
}

/**
 * Permanently cancels every paykey of a deleted customer and removes the names from their verifications. Must run inside the change's
 * transaction.
 */
export function cancelPaykeysOf(sandbox: Sandbox, customerId: string, now: number): void {
  for (const entry of sandbox.paykeys.find({ column: 'customer_id', is: customerId })) {
    if (judge(paykeyMachine, 'cancel', entry.doc.status) === 'moves') {
      movePaykey(sandbox, entry, 'cancel', now, { message: 'The customer was deleted' })
    }
    forgetNames(sandbox, entry.doc.id)
  }
}
