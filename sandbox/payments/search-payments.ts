import { z } from 'zod'
import { day, listOf, moment, paging, readQuery, wholeNumber, yesNo } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { uuidPattern } from '@/sandbox/store/new-id'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment'
import { sortKeys } from './payment-columns'
import { paymentSummary } from './payment-view'
import { filtersOf } from './search-filter'

const uuid = z.string().regex(uuidPattern, 'must be a UUID')

/** Every filter of the payments search; amounts in cents, bounds inclusive. */
export const searchQuery = z.strictObject({
  ...paging(sortKeys),
  payment_type: listOf(paymentTypes),
  payment_status: listOf(paymentStatuses),
  status_reason: listOf(statusReasons),
  status_source: listOf(statusSources),
  payment_id: uuid.optional(),
  customer_id: uuid.optional(),
  paykey_id: uuid.optional(),
  funding_id: uuid.optional(),
  paykey: z.string().optional(),
  external_id: z.string().optional(),
  min_amount: wholeNumber.optional(),
  max_amount: wholeNumber.optional(),
  min_payment_date: day.optional(),
  max_payment_date: day.optional(),
  min_created_at: moment.optional(),
  max_created_at: moment.optional(),
  min_effective_at: moment.optional(),
  max_effective_at: moment.optional(),
  min_updated_at: moment.optional(),
  max_updated_at: moment.optional(),
  search_text: z.string().max(200, 'must be at most 200 characters').optional(),
  include_metadata: yesNo.optional(),
  is_refund: yesNo.optional(),
  has_refund: yesNo.optional(),
  is_resubmit: yesNo.optional(),
  has_resubmit: yesNo.optional(),
})

/** The parsed query. */
export type SearchQuery = z.infer<typeof searchQuery>

/** `GET /v1/payments`: charges and payouts together, one page, the exact total. Ascending by id unless asked otherwise. */
export const searchPayments: Operation = {
  id: 'payments.search',
  method: 'GET',
  path: '/v1/payments',
  account: 'scoped',
  body: 'none',
  handle: ({ sandbox, query: params, account }) => {
    const query = readQuery(searchQuery, params)
    const sortBy = query.sort_by ?? 'id'
    const offset = (query.page_number - 1) * query.page_size
    const filters = filtersOf(sandbox, query, account)
    const { total, slots } = sandbox.payments.columns.search(sortBy, query.sort_order === 'desc', offset, query.page_size, filters)
    const items = slots.map((slot) => paymentSummary(sandbox, sandbox.payments.at(slot), query.include_metadata ?? false))
    return { list: { items, total, page: query.page_number, size: query.page_size, sortBy, sortOrder: query.sort_order } }
  },
}
