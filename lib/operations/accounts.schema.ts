import * as z from 'zod'
import { id, maybeTimestamp, text } from './common.schema'

const limits = z
  .object({
    max_amount: z.number().nullish(),
    daily_amount: z.number().nullish(),
    monthly_amount: z.number().nullish(),
    monthly_count: z.number().nullish(),
    funding_time: text,
  })
  .nullish()
  .transform((value) => value ?? undefined)

/** An account: what the desk shows and checks against; limits are minor units (interface document, "Account"). */
export const account = z.object({
  id,
  organization_id: text,
  type: text,
  status: z.string(),
  status_detail: z
    .object({ reason: text, source: text, code: text, message: text })
    .nullish()
    .transform((value) => value ?? undefined),
  business_profile: z
    .object({ name: text, legal_name: text })
    .nullish()
    .transform((value) => value ?? undefined),
  settings: z
    .object({ charges: limits, payouts: limits })
    .nullish()
    .transform((value) => value ?? undefined),
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** An account as the browser sees it. */
export type Account = z.output<typeof account>

const accountsFilter = z.strictObject({
  page_number: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(1000).default(100),
  sort_by: z
    .string()
    .regex(/^\w{1,40}$/)
    .default('id'),
  sort_order: z.enum(['asc', 'desc']).default('asc'),
  search_text: z.string().trim().max(100).optional(),
  status: z
    .string()
    .regex(/^\w{1,40}$/)
    .optional(),
  external_id: z.string().max(100).optional(),
})

/** What each account operation carries. */
export const accountSchemas = {
  'accounts.list': { input: accountsFilter, output: z.array(account) },
  'accounts.get': { input: z.strictObject({ id }), output: account },
}
