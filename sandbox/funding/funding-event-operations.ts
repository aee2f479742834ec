import { z } from 'zod'
import { requireAccountRowNumber } from '@/sandbox/accounts/owner'
import { makeUnprocessableProblem } from '@/sandbox/http/problem'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import {
  booleanParameter,
  dayParameter,
  makeEnumListSchema,
  makePagingParameters,
  searchTextParameter,
} from '@/sandbox/http/read-query'
import { defineObjectOperation, definePagedList, type Operation } from '@/sandbox/operation'
import type { Payment } from '@/sandbox/payments/payment'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import {
  cacheViewSources,
  type PaymentViewSources,
  toPaymentSummaryView,
} from '@/sandbox/payments/payment-reads'
import { paymentStatuses, statusReasons, statusSources } from '@/sandbox/payments/payment-values'
import { makeFundingEventFilter } from '@/sandbox/payments/search-filter'
import { defineTableResource } from '@/sandbox/resource'
import {
  fundingDirections,
  fundingEventPaymentSchema,
  fundingEventSchema,
  fundingEventSummarySchema,
  fundingEventTypes,
} from './funding-event'
import type { FundingLine } from './funding-lines'
import { makeFundingEvent } from './make-funding-event'

type FundingReasonAndAmount = Pick<FundingLine, 'reason' | 'amount'>

function findFundingReasonAndAmount(
  { fundingEvents }: PaymentViewSources,
  payment: Payment,
  eventNumber: number,
): FundingReasonAndAmount {
  if (payment.funding === eventNumber)
    return { reason: payment.type === 'charge' ? 'credit' : 'debit', amount: payment.amount }
  const fundingLine = fundingEvents.lines.takenBack(eventNumber, payment.n)
  if (!fundingLine)
    throw new RangeError(`payment ${payment.n} is not in funding event ${eventNumber}`)
  return fundingLine
}

function toFundingLineView(
  sources: PaymentViewSources,
  payment: Payment,
  eventNumber: number,
  includeMetadata: boolean,
): z.infer<typeof fundingEventPaymentSchema> {
  const { amount, reason } = findFundingReasonAndAmount(sources, payment, eventNumber)
  const summary = toPaymentSummaryView(sources, payment, includeMetadata)
  const {
    id,
    payment_type,
    payment_date,
    currency,
    status,
    external_id,
    trace_ids,
    customer_details,
    paykey_details,
    metadata,
  } = summary
  return {
    ...{
      id,
      payment_type,
      payment_date,
      currency,
      funding_amount: amount,
      payment_amount: payment.amount,
      reason,
      status,
    },
    ...{ external_id, trace_ids, customer_details, paykey_details },
    ...(metadata ? { metadata } : {}),
  }
}

const fundingListQuerySchema = z.strictObject({
  ...makePagingParameters(['id', 'transfer_date', 'amount']),
  created_from: dayParameter.optional(),
  created_to: dayParameter.optional(),
  direction: makeEnumSchema(fundingDirections).optional(),
  event_type: makeEnumSchema(fundingEventTypes).optional(),
  trace_number: searchTextParameter,
  trace_id: searchTextParameter,
  search_text: searchTextParameter,
  status: makeEnumListSchema(paymentStatuses),
  status_reason: makeEnumListSchema(statusReasons),
  status_source: makeEnumListSchema(statusSources),
})

const fundingEventResource = defineTableResource({
  name: 'funding_events',
  account: { saas: 'optional', marketplace: 'optional' },
  output: fundingEventSchema,
  noun: 'funding event',
  table: ({ fundingEvents }) => fundingEvents,
  owner: ({ account }, { accounts }) => accounts.idOf(requireAccountRowNumber(account)),
})

export const fundingEventOperations: readonly Operation[] = [
  fundingEventResource.list(
    {
      summary: 'List funding events',
      query: fundingListQuerySchema,
      output: fundingEventSummarySchema,
    },
    (query) => [
      { column: 'created_date', from: query.created_from, to: query.created_to },
      { column: 'direction', is: query.direction },
      { column: 'event_type', is: query.event_type },
      { column: 'trace_number', is: query.trace_number },
      // The trace id of a funding event is its trace number, so both filters use one column.
      { column: 'trace_number', is: query.trace_id },
      { column: 'status', in: query.status },
      { column: 'reason', in: query.status_reason },
      { column: 'source', in: query.status_source },
    ],
    ({
      status_history: _history,
      config: _config,
      linked_bank_account_details: _bank,
      ...summary
    }) => summary,
  ),
  defineObjectOperation({
    id: 'funding_events.simulate',
    method: 'POST',
    path: '/v1/funding_events/simulate',
    summary: 'Collect what waits for funding in an account into a funding event now',
    account: { saas: 'required', marketplace: 'required' },
    status: 201,
    only: 'sandbox',
    input: z.strictObject({
      funding_event_job_type: makeEnumSchema(['charges', 'payouts']),
      sandbox_outcome: makeEnumSchema(sandboxOutcomes).nullish(),
    }),
    output: z
      .strictObject({ id: fundingEventSchema.shape.id })
      .meta({ id: 'SimulatedFundingEvent' }),
    handle: ({ sandbox, input, account, now, effect }) => {
      const accountRowNumber = requireAccountRowNumber(account)
      const paymentType = input.funding_event_job_type === 'charges' ? 'charge' : 'payout'
      const createdEvent = makeFundingEvent(
        sandbox,
        accountRowNumber,
        paymentType,
        now,
        input.sandbox_outcome ?? 'standard',
      )
      if (!createdEvent)
        throw makeUnprocessableProblem(
          `Nothing to fund: what waits of this account's ${input.funding_event_job_type} adds up to zero.`,
        )
      effect({
        target_id: createdEvent.doc.id,
        account_id: sandbox.accounts.idOf(accountRowNumber),
        from: '',
        to: createdEvent.doc.status,
      })
      return { id: createdEvent.doc.id }
    },
  }),
  fundingEventResource.get('Look up a funding event'),
  // `funding_amount` is the payment's share of the funding event's amount.
  definePagedList(
    {
      ...{
        id: 'funding_event_payments.list',
        path: '/v1/funding_event_payments/:id',
        account: { saas: 'optional', marketplace: 'optional' },
      },
      summary: 'List the payments of a funding event',
      query: z.strictObject({
        ...makePagingParameters(['id', 'created_at', 'payment_date', 'effective_at']),
        include_metadata: booleanParameter.optional(),
      }),
      output: fundingEventPaymentSchema,
    },
    (call, page) => {
      const { sandbox, query } = call
      const { n } = fundingEventResource.find(call)
      const { total, payments } = sandbox.payments.page(page, [makeFundingEventFilter(sandbox, n)])
      const viewSources = cacheViewSources(sandbox)
      return {
        total,
        items: payments.map((payment) =>
          toFundingLineView(viewSources, payment, n, query.include_metadata ?? false),
        ),
      }
    },
  ),
]
