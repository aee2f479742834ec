import * as z from 'zod'
import { amount, flag, id, lastFour, maybeTimestamp, metadata, statusDetails, text } from './common.schema'

/** A paykey without its token; the account number is cut to four digits here too (interface document, "Paykey"). */
export const paykey = z.object({
  id,
  label: text,
  source: text,
  status: z.string(),
  status_details: statusDetails,
  customer_id: text,
  institution_name: text,
  expires_at: maybeTimestamp,
  bank_data: z
    .object({ account_number: lastFour, account_type: text })
    .nullish()
    .transform((value) => value ?? undefined),
  balance: z
    .object({ status: text, account_balance: amount.nullish().transform((value) => value ?? undefined), updated_at: maybeTimestamp })
    .nullish()
    .transform((value) => value ?? undefined),
  unblock_eligible: flag,
  external_id: text,
  metadata,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A paykey as the browser sees it. */
export type Paykey = z.output<typeof paykey>

/** What each paykey operation carries. */
export const paykeySchemas = {
  'paykeys.get': { input: z.strictObject({ id }), output: paykey },
}
