import * as z from 'zod'
import {
  amount,
  customerDetails,
  id,
  lastFour,
  maybe,
  maybeAmount,
  maybeDay,
  maybeNumber,
  maybeTimestamp,
  metadata,
  paykeyDetails,
  statusDetails,
  statusHistory,
  text,
  textList,
  traceIds,
  word,
} from './common.schema'
import { fundingDirections, fundingEventTypes, fundingJobTypes, paymentOutcomes, paymentStatuses } from './enumerations'
import { createPagingFields, dayBound, oneOf, plainTextList, queryBoolean, shortText, someOf } from './input.schema'

/** A funding event as the list shows it. `amount` is the sum of its payments, negative if returns exceed payments (provider facts 2.12). */
export const fundingEventSummary = z.object({
  id,
  amount,
  direction: text,
  event_type: text,
  payment_count: maybeNumber,
  transfer_date: maybeDay,
  trace_number: text,
  trace_numbers: textList,
  trace_ids: traceIds,
  status: word,
  status_details: statusDetails,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type FundingEventSummary = z.output<typeof fundingEventSummary>

/** A funding event with its status history, and the bank account of the business with the last four digits of its number. */
export const fundingEvent = fundingEventSummary.extend({
  status_history: statusHistory,
  config: maybe(z.object({ sandbox_outcome: text })),
  linked_bank_account_details: maybe(z.object({ institution_name: text, account_holder: text, account_number: lastFour })),
})

export type FundingEvent = z.output<typeof fundingEvent>

/** One payment's line in a funding event. `funding_amount` is its contribution, negative for a return. */
export const fundingEventPayment = z.object({
  id,
  payment_type: word,
  payment_date: maybeDay,
  currency: text,
  funding_amount: amount,
  payment_amount: maybeAmount,
  reason: text,
  status: word,
  external_id: text,
  trace_ids: traceIds,
  customer_details: customerDetails,
  paykey_details: paykeyDetails,
  metadata,
})

export type FundingEventPayment = z.output<typeof fundingEventPayment>

/** All filters of the list (provider facts 1.7). Days are New York calendar days. */
export const fundingEventsFilter = z.strictObject({
  ...createPagingFields(['transfer_date', 'amount', 'id'], 'transfer_date'),
  created_from: dayBound,
  created_to: dayBound,
  direction: oneOf(fundingDirections).optional(),
  event_type: oneOf(fundingEventTypes).optional(),
  trace_number: shortText,
  trace_id: shortText,
  search_text: shortText,
  status: someOf(paymentStatuses),
  status_reason: plainTextList,
  status_source: plainTextList,
})

const eventPaymentsFilter = z.strictObject({
  id,
  ...createPagingFields(['created_at', 'payment_date', 'effective_at', 'id'], 'created_at'),
  include_metadata: queryBoolean,
})

/** Input of a simulated funding event: the type of payments it collects, and the outcome. */
export const fundingSimulation = z.strictObject({
  funding_event_job_type: oneOf(fundingJobTypes),
  sandbox_outcome: oneOf(paymentOutcomes).optional(),
})

export const fundingEventSchemas = {
  'funding_events.list': { input: fundingEventsFilter, output: z.array(fundingEventSummary) },
  'funding_events.get': { input: z.strictObject({ id }), output: fundingEvent },
  'funding_events.payments': { input: eventPaymentsFilter, output: z.array(fundingEventPayment) },
  'funding_events.simulate': { input: fundingSimulation, output: z.object({ id }) },
}
