import { requireMove } from '@/sandbox/machine'
import { objectOperation } from '@/sandbox/operation'
import { type UpdateBody, updateBody } from './customer-bodies'
import { type CustomerEntry, findCustomer, journalCustomer, moveCustomer, refuseTaken } from './customer-entry'
import { customerMachine } from './customer-machine'
import { addressOf, identifiersOf } from './customer-parts'
import { type Customer, customerSchema, maskIdentifiers } from './customer-schema'
import { startVerification, stopVerification } from './review-customer'

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
