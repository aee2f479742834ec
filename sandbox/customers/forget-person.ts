import { deletedCustomer } from '@/sandbox/payments/payment-view'
import type { Sandbox } from '@/sandbox/sandbox'
import type { CustomerEntry } from './customer-entry'
import type { Customer } from './customer-schema'

/** Returns a deleted customer for stored events and responses: id and state, without personal data. */
function withoutPerson({ id, type, status, created_at, updated_at, device, config }: Customer): Customer {
  const { name, email, phone } = deletedCustomer(id)
  const empty = { external_id: null, address: null, compliance_profile: null, metadata: {} }
  return { id, name, type, email, phone, status, created_at, updated_at, device, config, ...empty }
}

function paymentIdsOf({ payments }: Sandbox, customer: number): string[] {
  const owners = payments.columns.column('customer').subarray(0, payments.columns.size)
  const slots: number[] = []
  for (let slot = 0; slot < owners.length; slot++) if (owners[slot] === customer) slots.push(slot)
  return payments.list(slots).map(({ id }) => id)
}

/**
 * Removes a deleted customer's personal data from all stored events of it and its payments, and from responses stored for idempotency keys
 * (interface document, "Delete a customer"). The client's own texts on payments stay. Must run last in the deletion's transaction, to cover
 * the deletion's own event and response.
 */
export function forgetPerson(sandbox: Sandbox, { n, doc }: CustomerEntry): void {
  const payments = paymentIdsOf(sandbox, n)
  const onPayment = (payment: object) => ({ ...payment, customer_details: deletedCustomer(doc.id) })
  for (const table of [sandbox.events, sandbox.idempotency]) {
    table.retell(doc.id, withoutPerson)
    for (const id of payments) table.retell(id, onPayment)
  }
}
