import { z } from 'zod'
import { uuid } from '@/sandbox/http/fields'
import { listOf, moment, pageOf, pageRequested, paging, yesNo } from '@/sandbox/http/read-query'
import { listOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import type { Where } from '@/sandbox/store/doc-table'
import { type Paykey, type PaykeySummary, paykeySources, paykeyStatuses, paykeySummarySchema } from './paykey-schema'

const listQuery = z.strictObject({
  ...paging(['institution_name', 'expires_at', 'created_at']),
  customer_id: uuid.optional(),
  status: listOf(paykeyStatuses),
  source: listOf(paykeySources),
  unblock_eligible: yesNo.optional(),
  search_text: z.string().max(200, 'must be at most 200 characters').optional(),
  created_from: moment.optional(),
  created_to: moment.optional(),
})

const isoOrNothing = (at: number | undefined) => (at === undefined ? undefined : iso(at))

function conditionsOf(query: z.infer<typeof listQuery>): Where[] {
  return [
    { column: 'customer_id', is: query.customer_id?.toLowerCase() },
    { column: 'status', in: query.status },
    { column: 'source', in: query.source },
    // False selects permanently blocked paykeys: the column is null for all that are not blocked.
    { column: 'unblock_eligible', is: query.unblock_eligible === undefined ? undefined : Number(query.unblock_eligible) },
    { column: 'created_at', from: isoOrNothing(query.created_from), to: isoOrNothing(query.created_to) },
  ]
}

function summaryOf({ metadata: _metadata, balance: _balance, ...summary }: Paykey): PaykeySummary {
  return summary
}

/** `GET /v1/paykeys`; oldest first by default. */
export const listPaykeys = listOperation({
  id: 'paykeys.list',
  method: 'GET',
  path: '/v1/paykeys',
  summary: 'List paykeys, without metadata and balance',
  account: 'optional',
  query: listQuery,
  output: paykeySummarySchema,
  handle: ({ sandbox, query, account }) => {
    const requested = { ...pageRequested(query, 'created_at'), account, where: conditionsOf(query), search: query.search_text }
    const { total, entries } = sandbox.paykeys.page(requested)
    return pageOf(
      query,
      'created_at',
      total,
      entries.map(({ doc }) => summaryOf(doc)),
    )
  },
})
