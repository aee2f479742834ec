import { getOwnerConfiguration, getOwnerId, getOwnerNoun } from '@/sandbox/accounts/owner'
import { makeInvalidFieldProblem, makeUnprocessableProblem } from '@/sandbox/http/problem'
import { makeDeletedCustomerDetails } from '@/sandbox/payments/payment-reads'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import type { TableEntry } from '@/sandbox/store/doc-table'
import type { Customer, CustomerHiddenFields } from './customer-schema'
import { type CustomerMove, getStatusAfterMove } from './customer-store'

export type CustomerEntry = TableEntry<Customer, CustomerHiddenFields>

export function recordCustomerEvent(
  sandbox: Sandbox,
  { doc, account }: CustomerEntry,
  now: number,
  kind: 'created' | 'changed' = 'changed',
): void {
  const accountId = getOwnerId(sandbox, account)
  sandbox.events[kind]({ resource: 'customer', accountId, data: doc }, now)
}

/**
 * Saves the customer and sends an event. If the status changed, payments that wait for it continue
 * or fail. Call `requireMove` first, in the same transaction.
 */
export function moveCustomer(
  sandbox: Sandbox,
  name: CustomerMove,
  entry: CustomerEntry,
  now: number,
  changes: Partial<Customer> = {},
): CustomerEntry {
  const status = getStatusAfterMove(name, entry.doc.status)
  const movedEntry = {
    ...entry,
    doc: { ...entry.doc, ...changes, status, updated_at: toIsoTime(now) },
  }
  sandbox.customers.save(movedEntry)
  recordCustomerEvent(sandbox, movedEntry, now)
  if (status !== entry.doc.status)
    sandbox.decided({ about: 'customer', number: entry.n, status, at: now })
  return movedEntry
}

type UniqueFields = { email: string; external_id: string | null }

/** Compares with the customers of the same owner: an account, or the platform for null. */
export function requireUniqueFields(
  sandbox: Sandbox,
  owner: number | null,
  { email, external_id }: UniqueFields,
  ownRowNumber?: number,
): void {
  const isTaken = (column: string, value: string) =>
    sandbox.customers
      .find({ column: 'account', is: owner }, { column, is: value })
      .some((entry) => entry.n !== ownRowNumber)
  if (external_id !== null && isTaken('external_id', external_id)) {
    throw makeInvalidFieldProblem(
      'The reference is taken.',
      'external_id',
      `is the reference of another customer of this ${getOwnerNoun(owner)}`,
    )
  }
  if (
    !getOwnerConfiguration(sandbox, owner).allow_duplicate_email &&
    isTaken('email', email.toLowerCase())
  ) {
    throw makeUnprocessableProblem(
      `Another customer of this ${getOwnerNoun(owner)} has this e-mail address.`,
      [],
    )
  }
}

function removePersonalFields({
  id,
  type,
  status,
  created_at,
  updated_at,
  device,
  config,
}: Customer): Customer {
  const { name, email, phone } = makeDeletedCustomerDetails(id)
  const erasedFields = { external_id: null, address: null, compliance_profile: null, metadata: {} }
  return {
    id,
    name,
    type,
    email,
    phone,
    status,
    created_at,
    updated_at,
    device,
    config,
    ...erasedFields,
  }
}

function listCustomerPaymentIds({ payments }: Sandbox, customerRowNumber: number): string[] {
  const customerNumberBySlot = payments.columns
    .column('customer')
    .subarray(0, payments.columns.size)
  const customerPaymentSlots: number[] = []
  for (let slot = 0; slot < customerNumberBySlot.length; slot++)
    if (customerNumberBySlot[slot] === customerRowNumber) customerPaymentSlots.push(slot)
  return payments.list(customerPaymentSlots).map(({ id }) => id)
}

/**
 * Removes a deleted customer's personal data from the stored events and stored responses of the
 * customer and of its payments (interface document, "Delete a customer"). Keeps texts that the
 * client wrote on payments. Call it after the deletion's own event is written, in the same
 * transaction, so that this event contains no personal data either.
 */
export function erasePersonalData(sandbox: Sandbox, { n, doc }: CustomerEntry): void {
  const paymentIds = listCustomerPaymentIds(sandbox, n)
  const eraseCustomerDetails = (payment: object) => ({
    ...payment,
    customer_details: makeDeletedCustomerDetails(doc.id),
  })
  for (const table of [sandbox.events, sandbox.idempotency]) {
    table.retell(doc.id, removePersonalFields)
    for (const id of paymentIds) table.retell(id, eraseCustomerDetails)
  }
}
