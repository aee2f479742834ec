import * as z from 'zod'
import {
  amount,
  customerDetails,
  id,
  maskedLastFour,
  metadata,
  openEnumValue,
  optionalAmount,
  optionalDay,
  optionalNumber,
  optionalOf,
  optionalText,
  optionalTimestamp,
  paykeyDetails,
  statusDetails,
  statusHistory,
  textList,
  traceIds,
} from './common.schema'
import {
  fundingDirections,
  fundingEventTypes,
  fundingJobTypes,
  paymentSandboxOutcomes,
  paymentStatuses,
} from './enumerations'
import {
  createPagingFields,
  dayBound,
  oneOf,
  optionalListOf,
  plainTextList,
  queryBoolean,
  shortText,
} from './input.schema'

/**
 * A funding event (a transfer to or from the bank account of a business) in a list. `amount` is the
 * sum of its payments. The amount is negative if returns exceed payments (provider facts 2.12).
 */
export const fundingEventSummary = z.object({
  id,
  amount,
  direction: optionalText,
  event_type: optionalText,
  payment_count: optionalNumber,
  transfer_date: optionalDay,
  trace_number: optionalText,
  trace_numbers: textList,
  trace_ids: traceIds,
  status: openEnumValue,
  status_details: statusDetails,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type FundingEventSummary = z.output<typeof fundingEventSummary>

/** The account number shows only its last four digits. */
export const fundingEvent = fundingEventSummary.extend({
  status_history: statusHistory,
  config: optionalOf(z.object({ sandbox_outcome: optionalText })),
  linked_bank_account_details: optionalOf(
    z.object({
      institution_name: optionalText,
      account_holder: optionalText,
      account_number: maskedLastFour,
    }),
  ),
})

export type FundingEvent = z.output<typeof fundingEvent>

/** `funding_amount`: its part of the amount of the event; negative for a return. */
export const fundingEventPayment = z.object({
  id,
  payment_type: openEnumValue,
  payment_date: optionalDay,
  currency: optionalText,
  funding_amount: amount,
  payment_amount: optionalAmount,
  reason: optionalText,
  status: openEnumValue,
  external_id: optionalText,
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
  status: optionalListOf(paymentStatuses),
  status_reason: plainTextList,
  status_source: plainTextList,
})

const eventPaymentsFilter = z.strictObject({
  id,
  ...createPagingFields(['created_at', 'payment_date', 'effective_at', 'id'], 'created_at'),
  include_metadata: queryBoolean,
})

/** The type of the payments that the simulated event collects, and its outcome. */
export const fundingSimulationInput = z.strictObject({
  funding_event_job_type: oneOf(fundingJobTypes),
  sandbox_outcome: oneOf(paymentSandboxOutcomes).optional(),
})

export const fundingEventSchemas = {
  'funding_events.list': { input: fundingEventsFilter, output: z.array(fundingEventSummary) },
  'funding_events.get': { input: z.strictObject({ id }), output: fundingEvent },
  'funding_events.payments': { input: eventPaymentsFilter, output: z.array(fundingEventPayment) },
  'funding_events.simulate': { input: fundingSimulationInput, output: z.object({ id }) },
}
