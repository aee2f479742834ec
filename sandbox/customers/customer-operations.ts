import { z } from 'zod'
import { requireSwitch } from '@/sandbox/accounts/configuration'
import { externalId } from '@/sandbox/http/read-body'
import { listOf, moment, pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { requireMove } from '@/sandbox/machine'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { cancelPaykeysOf } from '@/sandbox/paykeys/change-paykeys'
import { iso } from '@/sandbox/store/clock'
import { createCustomer } from './create-customer'
import { type UpdateBody, updateBody } from './customer-bodies'
import {
  announceCustomer,
  type CustomerEntry,
  findCustomer,
  forgetPerson,
  journalCustomer,
  moveCustomer,
  refuseTaken,
} from './customer-entry'
import { addressOf, identifiersOf } from './customer-parts'
import { customerReviewOperations, startVerification, stopVerification } from './customer-review'
import {
  type Customer,
  customerSchema,
  customerStatuses,
  customerSummarySchema,
  customerTypes,
  maskIdentifiers,
  unmaskedCustomerSchema,
} from './customer-schema'
import { customerMachine } from './customer-store'

/**
 * Permanently deletes a customer: the record, the unmasked values, the verification, and the personal data in stored events and responses
 * about it and its payments. Its paykeys are cancelled; its payments stay and keep the id. Only this response (and its replay under the
 * same idempotency key) contains the customer, masked, as it was.
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

/** Returns the new value of an optional field: null clears it, undefined keeps it. */
const merged = <T>(given: T | null | undefined, kept: T): T | null => (given === undefined ? kept : given)

function changesOf({ doc, secret }: CustomerEntry, input: UpdateBody, now: number): { doc: Customer; secret: CustomerEntry['secret'] } {
  const requestedProfile = input.compliance_profile
  const profile = requestedProfile === undefined ? secret.compliance_profile : identifiersOf(doc.type, requestedProfile, now)
  return {
    doc: {
      ...doc,
      ...{ name: input.name, email: input.email, phone: input.phone },
      external_id: merged(input.external_id, doc.external_id),
      address: input.address === undefined ? doc.address : addressOf(input.address),
      compliance_profile: maskIdentifiers(profile),
      // Null counts as missing, as on payments; an empty object clears it.
      metadata: input.metadata ?? doc.metadata,
    },
    secret: { ip_address: input.device.ip_address, compliance_profile: profile },
  }
}

const identityOf = ({ doc, secret }: Pick<CustomerEntry, 'doc' | 'secret'>): string =>
  JSON.stringify([doc.name, doc.email, doc.phone, doc.address, secret.compliance_profile])

/** True if an update requires a new verification: the identity changed and the status was not set by hand. */
const isSomebodyElse = (before: CustomerEntry, after: CustomerEntry): boolean =>
  before.doc.status === after.doc.status && ['verified', 'review'].includes(after.doc.status) && identityOf(before) !== identityOf(after)

/** Changes a customer and, if the state machine allows it, its status. A changed identity is verified again in the background. */
export const updateCustomer = objectOperation({
  id: 'customers.update',
  method: 'PUT',
  path: '/v1/customers/:id',
  summary: 'Change a customer',
  account: 'optional',
  input: updateBody,
  output: customerSchema,
  handle: (call) => {
    const { sandbox, input, now } = call
    const before = findCustomer(call)
    const move = `set_${input.status}` as const
    requireMove(customerMachine, move, before.doc.status)
    const changed = changesOf(before, input, now)
    refuseTaken(sandbox, before.account, changed.doc, before.n)
    const after = moveCustomer(sandbox, move, { ...before, ...changed }, now)
    if (isSomebodyElse(before, after)) startVerification(sandbox, after, now)
    else if (before.doc.status !== after.doc.status) stopVerification(sandbox, after)
    journalCustomer(call, after, before.doc.status, after.doc.status)
    return after.doc
  },
})

const textFilter = z.string().max(200, 'must be at most 200 characters')

const listQuery = z.strictObject({
  ...paging(['name', 'created_at']),
  created_from: moment.optional(),
  created_to: moment.optional(),
  name: textFilter.optional(),
  email: textFilter.optional(),
  external_id: externalId.optional(),
  status: listOf(customerStatuses),
  types: listOf(customerTypes),
  search_text: textFilter.optional(),
})

function summaryOf({ id, name, type, email, phone, external_id, status, created_at, updated_at }: Customer) {
  return { id, name, type, email, phone, external_id, status, created_at, updated_at }
}

const isoOrNone = (at: number | undefined) => (at === undefined ? undefined : iso(at))

const list = listOperation({
  id: 'customers.list',
  method: 'GET',
  path: '/v1/customers',
  summary: 'List customers',
  account: 'optional',
  query: listQuery,
  output: customerSummarySchema,
  handle: ({ sandbox, query, account }) => {
    const where = [
      { column: 'created_at', from: isoOrNone(query.created_from), to: isoOrNone(query.created_to) },
      { column: 'name', has: query.name },
      { column: 'email', is: query.email?.toLowerCase() },
      { column: 'external_id', is: query.external_id },
      { column: 'status', in: query.status },
      { column: 'type', in: query.types },
    ]
    const { total, entries } = sandbox.customers.page({ ...pageRequested(query, 'name'), account, where, search: query.search_text })
    return pageOf(
      query,
      'name',
      total,
      entries.map((entry) => summaryOf(entry.doc)),
    )
  },
})

const get = objectOperation({
  id: 'customers.get',
  method: 'GET',
  path: '/v1/customers/:id',
  summary: 'Look up a customer, masked',
  account: 'optional',
  output: customerSchema,
  handle: (call) => findCustomer(call).doc,
})

const unmask = objectOperation({
  id: 'customers.unmask',
  method: 'GET',
  path: '/v1/customers/:id/unmasked',
  summary: 'Look up a customer with every value as it was given',
  account: 'optional',
  output: unmaskedCustomerSchema,
  handle: (call) => {
    const { doc, secret, account } = findCustomer(call)
    requireSwitch(call.sandbox, account, 'allow_data_unmask')
    return { ...doc, compliance_profile: secret.compliance_profile, device: { ip_address: secret.ip_address } }
  },
})

export const customerOperations: readonly Operation[] = [
  list,
  createCustomer,
  get,
  updateCustomer,
  deleteCustomer,
  unmask,
  ...customerReviewOperations,
]
