import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { cancelPaykeysOf } from '@/sandbox/paykeys/cancel-paykeys'
import { announceCustomer, findCustomer, journalCustomer } from './customer-entry'
import { customerMachine } from './customer-machine'
import { customerSchema } from './customer-schema'
import { forgetPerson } from './forget-person'
import { stopVerification } from './review-customer'

/**
 * Permanently removes a customer: the record, the values behind its masks, what its verification found, and who it was in all that was told of it and
 * of its payments. Its paykeys are cancelled; its payments stay and keep the id. This answer alone shows it as it was, masked, and so does its
 * repetition under the same idempotency key.
 */
export const deleteCustomer = objectOperation({
  id: 'customers.delete',
  method: 'DELETE',
  path: '/v1/customers/:id',
  summary: 'Permanently delete a customer',
  account: 'optional',
  output: customerSchema,
  handle: (call) => {
    const { sandbox, now } = call
    const entry = findCustomer(call)
    requireMove(customerMachine, 'delete', entry.doc.status)
    cancelPaykeysOf(sandbox, entry.doc.id, now)
    stopVerification(sandbox, entry)
    sandbox.customers.remove(entry.n)
    sandbox.decisions.tell({ about: 'customer', number: entry.n, status: 'deleted', at: now })
    announceCustomer(sandbox, entry, now)
    forgetPerson(sandbox, entry)
    journalCustomer(call, entry, entry.doc.status, 'deleted')
    return entry.doc
  },
})
