import { z } from 'zod'
import { word } from '@/sandbox/http/fields'
import { unprocessable } from '@/sandbox/http/problem'
import { day, listOf, pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import { paymentStatuses, statusReasons, statusSources } from '@/sandbox/payments/payment-values'
import type { Entry } from '@/sandbox/store/doc-table'
import { findFundingEvent } from './find-funding-event'
import { type FundingEvent, fundingDirections, fundingEvent, fundingEventSummary, fundingEventTypes } from './funding-event'
import { listFundingEventPayments } from './funding-event-payments'
import { makeFundingEvent } from './make-funding-event'

const shortText = z.string().max(200, 'must be at most 200 characters').optional()

const listQuery = z.strictObject({
  ...paging(['id', 'transfer_date', 'amount']),
  created_from: day.optional(),
  created_to: day.optional(),
  direction: word(fundingDirections).optional(),
  event_type: word(fundingEventTypes).optional(),
  trace_number: shortText,
  trace_id: shortText,
  search_text: shortText,
  status: listOf(paymentStatuses),
  status_reason: listOf(statusReasons),
  status_source: listOf(statusSources),
})

const summaryOf = ({ doc }: Entry<FundingEvent>) => {
  const { status_history: _history, config: _config, linked_bank_account_details: _bank, ...summary } = doc
  return summary
}

const list = listOperation({
  id: 'funding_events.list',
  method: 'GET',
  path: '/v1/funding_events',
  summary: 'List funding events',
  account: 'optional',
  query: listQuery,
  output: fundingEventSummary,
  handle: ({ sandbox, query, account }) => {
    const where = [
      { column: 'created_date', from: query.created_from, to: query.created_to },
      { column: 'direction', is: query.direction },
      { column: 'event_type', is: query.event_type },
      { column: 'trace_number', is: query.trace_number },
      // A funding event has one trace id: its trace number.
      { column: 'trace_number', is: query.trace_id },
      { column: 'status', in: query.status },
      { column: 'reason', in: query.status_reason },
      { column: 'source', in: query.status_source },
    ]
    const requested = { ...pageRequested(query, 'id'), where, account, search: query.search_text }
    const { total, entries } = sandbox.fundingEvents.page(requested)
    return pageOf(query, 'id', total, entries.map(summaryOf))
  },
})

const read = objectOperation({
  id: 'funding_events.get',
  method: 'GET',
  path: '/v1/funding_events/:id',
  summary: 'Look up a funding event',
  account: 'optional',
  output: fundingEvent,
  handle: (call) => findFundingEvent(call).doc,
})

const simulate = objectOperation({
  id: 'funding_events.simulate',
  method: 'POST',
  path: '/v1/funding_events/simulate',
  summary: 'Collect what waits for funding in an account into a funding event now',
  account: 'required',
  status: 201,
  only: 'sandbox',
  input: z.strictObject({
    funding_event_job_type: word(['charges', 'payouts']),
    sandbox_outcome: word(sandboxOutcomes).nullish(),
  }),
  output: z.strictObject({ id: fundingEvent.shape.id }).meta({ id: 'SimulatedFundingEvent' }),
  handle: ({ sandbox, input, account, now, effect }) => {
    const type = input.funding_event_job_type === 'charges' ? 'charge' : 'payout'
    const createdEvent = makeFundingEvent(sandbox, account ?? 0, type, now, input.sandbox_outcome ?? 'standard')
    if (!createdEvent) throw unprocessable(`Nothing to fund: what waits of this account's ${input.funding_event_job_type} adds up to zero.`)
    effect({ target_id: createdEvent.doc.id, account_id: sandbox.accounts.idOf(account ?? 0), from: '', to: createdEvent.doc.status })
    return { id: createdEvent.doc.id }
  },
})

export const fundingEventOperations: readonly Operation[] = [list, simulate, read, listFundingEventPayments]
