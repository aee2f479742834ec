import { pageOf, pageRequested } from '@/sandbox/http/read-query'
import { listOperation } from '@/sandbox/operation'
import { paymentSummary } from './payment-schema'
import { paymentSummaryView, sourcesForPage } from './payment-view'
import { filtersOf } from './search-filter'
import { searchQuery } from './search-query'

/** `GET /v1/payments`: one page of charges and payouts, with the exact total. Ascending by id by default. */
export const searchPayments = listOperation({
  id: 'payments.search',
  method: 'GET',
  path: '/v1/payments',
  summary: 'Search charges and payouts',
  account: 'optional',
  query: searchQuery,
  output: paymentSummary,
  handle: ({ sandbox, query, account }) => {
    const { offset, limit } = pageRequested(query, 'id')
    const filters = filtersOf(sandbox, query, account)
    const { total, slots } = sandbox.payments.columns.search(query.sort_by ?? 'id', query.sort_order === 'desc', offset, limit, filters)
    const sources = sourcesForPage(sandbox)
    const items = sandbox.payments.list(slots).map((payment) => paymentSummaryView(sources, payment, query.include_metadata ?? false))
    return pageOf(query, 'id', total, items)
  },
})
