import { z } from 'zod'
import { pageOf, pageRequested, paging, yesNo } from '@/sandbox/http/read-query'
import { listOperation } from '@/sandbox/operation'
import type { Payment } from '@/sandbox/payments/payment'
import { paymentSummaryView, sourcesForPage, type ViewSources } from '@/sandbox/payments/payment-view'
import { inFundingEvent } from '@/sandbox/payments/search-filter'
import { findFundingEvent } from './find-funding-event'
import { fundingEventPayment } from './funding-event'
import type { FundingLine } from './funding-lines'

type Part = Pick<FundingLine, 'reason' | 'amount'>

/** Returns a payment's line in event number `event`. Throws RangeError if there is none, which means that lines and payments differ. */
function partOf({ fundingEvents }: ViewSources, payment: Payment, event: number): Part {
  if (payment.funding === event) return { reason: payment.type === 'charge' ? 'credit' : 'debit', amount: payment.amount }
  const fundingLine = fundingEvents.lines.takenBack(event, payment.n)
  if (!fundingLine) throw new RangeError(`payment ${payment.n} is not in funding event ${event}`)
  return fundingLine
}

function lineView(sources: ViewSources, payment: Payment, event: number, includeMetadata: boolean): z.infer<typeof fundingEventPayment> {
  const { amount, reason } = partOf(sources, payment, event)
  const summary = paymentSummaryView(sources, payment, includeMetadata)
  const { id, payment_type, payment_date, currency, status, external_id, trace_ids, customer_details, paykey_details, metadata } = summary
  return {
    ...{ id, payment_type, payment_date, currency, funding_amount: amount, payment_amount: payment.amount, reason, status },
    ...{ external_id, trace_ids, customer_details, paykey_details },
    ...(metadata ? { metadata } : {}),
  }
}

/** `GET /v1/funding_event_payments/{id}`: the payments of one funding event, each with its share of the event's amount. */
export const listFundingEventPayments = listOperation({
  id: 'funding_event_payments.list',
  method: 'GET',
  path: '/v1/funding_event_payments/:id',
  summary: 'List the payments of a funding event',
  account: 'optional',
  query: z.strictObject({ ...paging(['id', 'created_at', 'payment_date', 'effective_at']), include_metadata: yesNo.optional() }),
  output: fundingEventPayment,
  handle: (call) => {
    const { sandbox, query } = call
    const { n } = findFundingEvent(call)
    const { offset, limit } = pageRequested(query, 'id')
    const filters = [inFundingEvent(sandbox, n)]
    const { total, slots } = sandbox.payments.columns.search(query.sort_by ?? 'id', query.sort_order === 'desc', offset, limit, filters)
    const sources = sourcesForPage(sandbox)
    const items = sandbox.payments.list(slots).map((payment) => lineView(sources, payment, n, query.include_metadata ?? false))
    return pageOf(query, 'id', total, items)
  },
})
