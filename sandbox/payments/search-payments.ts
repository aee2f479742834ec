import { readQuery } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { paymentSummary } from './payment-view'
import { filtersOf } from './search-filter'
import { searchQuery } from './search-query'

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
