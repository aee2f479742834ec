import * as z from 'zod'
import {
  flag,
  hidden,
  id,
  maskedEmail,
  maskedPhone,
  maybe,
  maybeNumber,
  maybeTimestamp,
  metadata,
  statusDetail,
  text,
} from './common.schema'
import { levels } from './enumerations'
import { oneOf, paging } from './filter.schema'

/** A person with authority in an account, masked; `percent_ownership` runs from 0 to 100 (provider facts 2.16). */
export const representative = z.object({
  id,
  account_id: text,
  user_id: text,
  status: z.string(),
  status_detail: statusDetail,
  first_name: text,
  last_name: text,
  name: text,
  dob: hidden('****-**-**'),
  ssn_last4: hidden('****'),
  email: maskedEmail,
  mobile_number: maskedPhone,
  phone: maskedPhone,
  relationship: maybe(z.object({ primary: flag, control: flag, owner: flag, percent_ownership: maybeNumber, title: text })),
  external_id: text,
  metadata,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A representative as the browser sees it. */
export type Representative = z.output<typeof representative>

/** What the other reads hide of a representative, and who it is. */
export const unmaskedRepresentative = z.object({
  id,
  account_id: text,
  name: text,
  dob: text,
  ssn_last4: text,
  email: text,
  mobile_number: text,
  phone: text,
})

/** A representative unmasked. */
export type UnmaskedRepresentative = z.output<typeof unmaskedRepresentative>

/** Every filter of the list (provider facts 1.9). */
export const representativesFilter = z.strictObject({
  ...paging(['id', 'name', 'created_at'], 'id'),
  account_id: id.optional(),
  organization_id: id.optional(),
  platform_id: id.optional(),
  level: oneOf(levels).optional(),
})

const one = z.strictObject({ id })

/** What each representative operation carries. */
export const representativeSchemas = {
  'representatives.list': { input: representativesFilter, output: z.array(representative) },
  'representatives.get': { input: one, output: representative },
  'representatives.unmask': { input: one, output: unmaskedRepresentative },
}
