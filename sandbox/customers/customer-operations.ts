import { z } from 'zod'
import { requireSwitch } from '@/sandbox/accounts/configuration'
import { externalId } from '@/sandbox/http/fields'
import { listOf, moment, pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { createCustomer } from './create-customer'
import { findCustomer } from './customer-entry'
import { customerReviewOperations } from './customer-review-operations'
import {
  type Customer,
  customerSchema,
  customerStatuses,
  customerSummarySchema,
  customerTypes,
  unmaskedCustomerSchema,
} from './customer-schema'
import { deleteCustomer } from './delete-customer'
import { updateCustomer } from './update-customer'

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
