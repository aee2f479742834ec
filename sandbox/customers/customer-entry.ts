import { getConfiguration } from '@/sandbox/accounts/configuration'
import { invalidField, unprocessable } from '@/sandbox/http/problem'
import { deletedCustomer } from '@/sandbox/payments/payment-reads'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Entry } from '@/sandbox/store/doc-table'
import type { Customer, CustomerSecret } from './customer-schema'
import { type CustomerMove, getStatusAfterMove } from './customer-store'

export type CustomerEntry = Entry<Customer, CustomerSecret>

export function announceCustomer({ events, accounts }: Sandbox, { doc, account }: CustomerEntry, now: number): void {
  events.changed({ resource: 'customer', accountId: accounts.idOf(account ?? 0), data: doc }, now)
}

/**
 * Moves a customer and saves it with `changes`, sends the event, and notifies payments that wait for the decision. The caller must call
 * `requireMove` first, and run both in one transaction.
 */
export function moveCustomer(
  sandbox: Sandbox,
  name: CustomerMove,
  entry: CustomerEntry,
  now: number,
  changes: Partial<Customer> = {},
): CustomerEntry {
  const status = getStatusAfterMove(name, entry.doc.status)
  const movedEntry = { ...entry, doc: { ...entry.doc, ...changes, status, updated_at: iso(now) } }
  sandbox.customers.save(movedEntry)
  announceCustomer(sandbox, movedEntry, now)
  if (status !== entry.doc.status) sandbox.decided({ about: 'customer', number: entry.n, status, at: now })
  return movedEntry
}

type UniqueFields = { email: string; external_id: string | null }

export function requireUniqueFields(sandbox: Sandbox, account: number, { email, external_id }: UniqueFields, ownNumber?: number): void {
  const isTaken = (column: string, value: string) =>
    sandbox.customers.find({ column: 'account', is: account }, { column, is: value }).some((entry) => entry.n !== ownNumber)
  if (external_id !== null && isTaken('external_id', external_id)) {
    throw invalidField('The reference is taken.', 'external_id', 'is the reference of another customer of this account')
  }
  if (!getConfiguration(sandbox, account).allow_duplicate_email && isTaken('email', email.toLowerCase())) {
    throw unprocessable('Another customer of this account has this e-mail address.', [])
  }
}

function withoutPerson({ id, type, status, created_at, updated_at, device, config }: Customer): Customer {
  const { name, email, phone } = deletedCustomer(id)
  const emptyFields = { external_id: null, address: null, compliance_profile: null, metadata: {} }
  return { id, name, type, email, phone, status, created_at, updated_at, device, config, ...emptyFields }
}

function listPaymentIds({ payments }: Sandbox, customer: number): string[] {
  const paymentCustomers = payments.columns.column('customer').subarray(0, payments.columns.size)
  const slots: number[] = []
  for (let slot = 0; slot < paymentCustomers.length; slot++) if (paymentCustomers[slot] === customer) slots.push(slot)
  return payments.list(slots).map(({ id }) => id)
}

/**
 * Removes a deleted customer's personal data from the stored events and stored responses of the customer and its payments (interface
 * document, "Delete a customer"). Texts that the client wrote on payments stay. Call it last in the deletion's transaction, so that it also
 * covers the event and response of the deletion itself.
 */
export function erasePersonalData(sandbox: Sandbox, { n, doc }: CustomerEntry): void {
  const payments = listPaymentIds(sandbox, n)
  const erasePaymentData = (payment: object) => ({ ...payment, customer_details: deletedCustomer(doc.id) })
  for (const table of [sandbox.events, sandbox.idempotency]) {
    table.retell(doc.id, withoutPerson)
    for (const id of payments) table.retell(id, erasePaymentData)
  }
}
