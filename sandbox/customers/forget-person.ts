import { deletedCustomer } from '@/sandbox/payments/payment-view'
import type { Sandbox } from '@/sandbox/sandbox'
import type { CustomerEntry } from './customer-entry'
import type { Customer } from './customer-schema'

/** A customer that was deleted, as events and kept answers go on telling of it: which one it was and in which state, nothing of who it was. */
function withoutPerson({ id, type, status, created_at, updated_at, device, config }: Customer): Customer {
  const { name, email, phone } = deletedCustomer(id)
  const empty = { external_id: null, address: null, compliance_profile: null, metadata: {} }
  return { id, name, type, email, phone, status, created_at, updated_at, device, config, ...empty }
}

/** The ids of all payments of the customer with that number. */
function paymentIdsOf({ payments }: Sandbox, customer: number): string[] {
  const owners = payments.columns.column('customer').subarray(0, payments.columns.size)
  const slots: number[] = []
  for (let slot = 0; slot < owners.length; slot++) if (owners[slot] === customer) slots.push(slot)
  return payments.list(slots).map(({ id }) => id)
}

/**
 * Takes who a deleted customer was out of everything that was told before: the events of the customer and of its payments, and the answers kept
 * for their idempotency keys (interface document, "Delete a customer"). The client's own words on payments stay. Must run last in the deletion's
 * transaction, so that what the deletion itself tells is covered as well.
 */
export function forgetPerson(sandbox: Sandbox, { n, doc }: CustomerEntry): void {
  const payments = paymentIdsOf(sandbox, n)
  const onPayment = (payment: object) => ({ ...payment, customer_details: deletedCustomer(doc.id) })
  for (const table of [sandbox.events, sandbox.idempotency]) {
    table.retell(doc.id, withoutPerson)
    for (const id of payments) table.retell(id, onPayment)
  }
}
