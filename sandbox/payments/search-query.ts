import { z } from 'zod'
import { uuid } from '@/sandbox/http/fields'
import { day, listOf, moment, paging, wholeNumber, yesNo } from '@/sandbox/http/read-query'
import { sortKeys } from './payment-columns'
import { paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment-values'

/** Filters of the payments search; amounts in cents, bounds inclusive. */
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

export type SearchQuery = z.infer<typeof searchQuery>
