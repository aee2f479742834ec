import * as z from 'zod'
import { id, maybeTimestamp, text } from './common.schema'
import { capabilityCategories, capabilityTypes } from './enumerations'
import { oneOf, paging } from './filter.schema'

/** The limits that were asked for by name: minor units, and a count. */
const settings = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number')),
  )

/** One thing asked of compliance: `enable` false asks to switch it off (provider facts 2.18). */
export const capabilityRequest = z.object({
  id,
  account_id: text,
  type: z.string(),
  category: text,
  settings,
  status: z.string(),
  enable: z.boolean(),
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A capability request as the browser sees it. */
export type CapabilityRequest = z.output<typeof capabilityRequest>

/** Every filter of the list; the service takes these four states only (provider facts 2.1). */
export const capabilityRequestsFilter = z.strictObject({
  ...paging(['id', 'created_at'], 'id'),
  type: oneOf(capabilityTypes).optional(),
  category: oneOf(capabilityCategories).optional(),
  status: oneOf(['in_review', 'active', 'inactive', 'rejected']).optional(),
})

/** What each capability request operation carries. */
export const capabilityRequestSchemas = {
  'capability_requests.list': { input: capabilityRequestsFilter, output: z.array(capabilityRequest) },
}
