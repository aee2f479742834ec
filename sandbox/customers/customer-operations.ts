import { z } from 'zod'
import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { getOwnerId } from '@/sandbox/accounts/owner'
import { externalIdSchema } from '@/sandbox/http/read-body'
import {
  dateTimeParameter,
  makeEnumListSchema,
  makePagingParameters,
  searchTextParameter,
} from '@/sandbox/http/read-query'
import { requireMove } from '@/sandbox/machine'
import type { Operation } from '@/sandbox/operation'
import { cancelCustomerPaykeys } from '@/sandbox/paykeys/move-paykey'
import { defineTableResource } from '@/sandbox/resource'
import { toIsoTimeOrUndefined } from '@/sandbox/store/clock'
import { createCustomer } from './create-customer'
import {
  createCustomerBodySchema,
  customerDecisionBodySchema,
  toAddress,
  toIdentifiers,
  type UpdateCustomerBody,
  updateCustomerBodySchema,
} from './customer-bodies'
import {
  type CustomerEntry,
  erasePersonalData,
  moveCustomer,
  recordCustomerEvent,
  requireUniqueFields,
} from './customer-entry'
import { customerReviewSchema } from './customer-review-schema'
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
import { startVerification, stopVerification } from './verify-identity'

const chooseFieldValue = <T>(given: T | null | undefined, currentValue: T): T | null =>
  given === undefined ? currentValue : given

function toCustomerChanges(
  { doc, secret }: CustomerEntry,
  input: UpdateCustomerBody,
  now: number,
): { doc: Customer; secret: CustomerEntry['secret'] } {
  const requestedProfile = input.compliance_profile
  const changedProfile =
    requestedProfile === undefined
      ? secret.compliance_profile
      : toIdentifiers(doc.type, requestedProfile, now)
  return {
    doc: {
      ...doc,
      ...{ name: input.name, email: input.email, phone: input.phone },
      external_id: chooseFieldValue(input.external_id, doc.external_id),
      address: input.address === undefined ? doc.address : toAddress(input.address),
      compliance_profile: maskIdentifiers(changedProfile),
      // Null metadata means the same as missing. An empty object clears the metadata.
      metadata: input.metadata ?? doc.metadata,
    },
    secret: { ip_address: input.device.ip_address, compliance_profile: changedProfile },
  }
}

const toIdentityKey = ({ doc, secret }: Pick<CustomerEntry, 'doc' | 'secret'>): string =>
  JSON.stringify([doc.name, doc.email, doc.phone, doc.address, secret.compliance_profile])

/** True if the identity changed and the status was and remains `verified` or `review`. */
const shouldVerifyAgain = (before: CustomerEntry, after: CustomerEntry): boolean =>
  before.doc.status === after.doc.status &&
  ['verified', 'review'].includes(after.doc.status) &&
  toIdentityKey(before) !== toIdentityKey(after)

const customerListQuerySchema = z.strictObject({
  ...makePagingParameters(['name', 'created_at']),
  created_from: dateTimeParameter.optional(),
  created_to: dateTimeParameter.optional(),
  name: searchTextParameter,
  email: searchTextParameter,
  external_id: externalIdSchema.optional(),
  status: makeEnumListSchema(customerStatuses),
  types: makeEnumListSchema(customerTypes),
  search_text: searchTextParameter,
})

function toCustomerSummary({
  id,
  name,
  type,
  email,
  phone,
  external_id,
  status,
  created_at,
  updated_at,
}: Customer) {
  return { id, name, type, email, phone, external_id, status, created_at, updated_at }
}

const customerResource = defineTableResource({
  name: 'customers',
  noun: 'customer',
  account: { saas: 'optional', marketplace: 'forbidden' },
  output: customerSchema,
  table: ({ customers }) => customers,
  owner: ({ account }, sandbox) => getOwnerId(sandbox, account),
})

export const customerOperations: readonly Operation[] = [
  customerResource.list(
    {
      summary: 'List customers',
      query: customerListQuerySchema,
      output: customerSummarySchema,
      sort: 'name',
    },
    (query) => [
      {
        column: 'created_at',
        from: toIsoTimeOrUndefined(query.created_from),
        to: toIsoTimeOrUndefined(query.created_to),
      },
      { column: 'name', has: query.name },
      { column: 'email', is: query.email?.toLowerCase() },
      { column: 'external_id', is: query.external_id },
      { column: 'status', in: query.status },
      { column: 'type', in: query.types },
    ],
    toCustomerSummary,
  ),
  customerResource.create(
    {
      summary: 'Create a customer and verify its identity',
      account: { saas: 'required', marketplace: 'forbidden' },
      input: createCustomerBodySchema,
    },
    createCustomer,
  ),
  customerResource.get('Look up a customer, masked'),
  // An update that changes the identity starts a new verification in the background, if the status
  // was and remains `verified` or `review`. An update that changes the status cancels a running
  // verification.
  customerResource.change(
    {
      verb: 'update',
      method: 'PUT',
      tail: '',
      summary: 'Change a customer',
      input: updateCustomerBodySchema,
    },
    (before, { sandbox, input, now }) => {
      const requestedMove = `set_${input.status}` as const
      requireMove(customerMachine, requestedMove, before.doc.status)
      const customerChanges = toCustomerChanges(before, input, now)
      requireUniqueFields(sandbox, before.account, customerChanges.doc, before.n)
      const movedEntry = moveCustomer(
        sandbox,
        requestedMove,
        { ...before, ...customerChanges },
        now,
      )
      if (shouldVerifyAgain(before, movedEntry)) startVerification(sandbox, movedEntry, now)
      else if (before.doc.status !== movedEntry.doc.status) stopVerification(sandbox, movedEntry)
      return movedEntry
    },
  ),
  // Payments stay and keep the customer's id. Only this response contains the deleted customer,
  // masked, also when it is replayed under the same idempotency key.
  customerResource.operation(
    {
      verb: 'delete',
      method: 'DELETE',
      tail: '',
      summary: 'Permanently delete a customer',
      output: customerSchema,
    },
    (entry, { sandbox, now, effect }) => {
      const { id, status } = entry.doc
      requireMove(customerMachine, 'delete', status)
      cancelCustomerPaykeys(sandbox, id, now)
      stopVerification(sandbox, entry)
      sandbox.customers.remove(entry.n)
      sandbox.decided({ about: 'customer', number: entry.n, status: 'deleted', at: now })
      recordCustomerEvent(sandbox, entry, now)
      erasePersonalData(sandbox, entry)
      effect({
        target_id: id,
        account_id: getOwnerId(sandbox, entry.account),
        from: status,
        to: 'deleted',
      })
      return entry.doc
    },
  ),
  customerResource.operation(
    {
      ...{ verb: 'unmask', tail: '/unmasked', output: unmaskedCustomerSchema },
      summary: 'Look up a customer with every value as it was given',
    },
    ({ doc, secret, account }, { sandbox }) => {
      requireConfigFlag(sandbox, account, 'allow_data_unmask')
      return {
        ...doc,
        compliance_profile: secret.compliance_profile,
        device: { ip_address: secret.ip_address },
      }
    },
  ),
  customerResource.operation(
    {
      verb: 'review',
      summary: 'Look up what the verification of a customer found',
      output: customerReviewSchema,
    },
    ({ n, doc }, { sandbox }) => ({
      customer_details: doc,
      identity_details: sandbox.customers.identityOf(n),
    }),
  ),
  customerResource.change(
    {
      verb: 'decide',
      method: 'PATCH',
      tail: '/review',
      summary: 'Decide on a customer in review',
      input: customerDecisionBodySchema,
    },
    (entry, { sandbox, input, now }) => {
      const decisionMove = `decide_${input.status}` as const
      requireMove(customerMachine, decisionMove, entry.doc.status)
      stopVerification(sandbox, entry)
      return moveCustomer(sandbox, decisionMove, entry, now)
    },
  ),
  customerResource.change(
    {
      verb: 'refresh_review',
      method: 'PUT',
      summary: 'Re-verify a customer in the background',
      status: 202,
    },
    (entry, { sandbox, now }) => {
      requireMove(customerMachine, 'refresh', entry.doc.status)
      startVerification(sandbox, entry, now)
      return moveCustomer(sandbox, 'refresh', entry, now)
    },
  ),
]
