import { judge } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { movePaykey } from './move-paykey'
import { paykeyMachine } from './paykey-machine'

/** Takes the names out of what a verification found; whose they are is what a deletion is to forget. */
function forgetNames({ paykeys: { evidence } }: Sandbox, paykeyId: string): void {
  const found = evidence.get(paykeyId)
  const { name_match } = found?.doc.verification.breakdown ?? {}
  if (!found || !name_match) return
  Object.assign(name_match, { names_on_account: [], matched_name: null, customer_name: '' })
  evidence.save(found)
}

/**
 * Permanently takes every paykey of a customer out of use, and the customer's name out of their evidence, because the customer is removed. Must run
 * inside the change's transaction.
 */
export function cancelPaykeysOf(sandbox: Sandbox, customerId: string, now: number): void {
  for (const entry of sandbox.paykeys.find({ column: 'customer_id', is: customerId })) {
    if (judge(paykeyMachine, 'cancel', entry.doc.status) === 'moves') {
      movePaykey(sandbox, entry, 'cancel', now, { message: 'The customer was deleted' })
    }
    forgetNames(sandbox, entry.doc.id)
  }
}
