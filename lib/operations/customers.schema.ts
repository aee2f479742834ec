import * as z from 'zod'
import { id, maskedEmail, maskedPhone, maybeTimestamp, metadata, text } from './common.schema'

/** A customer, masked: no address lines, no compliance data, contact data in part (interface document, "Customer"). */
export const customer = z.object({
  id,
  name: z.string(),
  type: text,
  email: maskedEmail,
  phone: maskedPhone,
  status: z.string(),
  external_id: text,
  address: z
    .object({ city: text, state: text })
    .nullish()
    .transform((value) => value ?? undefined),
  metadata,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A customer as the browser sees it. */
export type Customer = z.output<typeof customer>

/** What each customer operation carries. */
export const customerSchemas = {
  'customers.get': { input: z.strictObject({ id }), output: customer },
}
