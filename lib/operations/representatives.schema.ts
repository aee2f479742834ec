import * as z from 'zod'
import {
  flag,
  id,
  idInput,
  maskedAs,
  maskedEmail,
  maskedPhone,
  maybe,
  maybeId,
  maybeNumber,
  maybeTimestamp,
  metadata,
  statusDetail,
  text,
  word,
} from './common.schema'
import { levels } from './enumerations'
import { createPagingFields, day, email, externalId, metadataInput, oneOf, phone, requiredLine } from './input.schema'

/** A person with authority in an account, masked; `percent_ownership` runs from 0 to 100 (provider facts 2.16). */
export const representative = z.object({
  id,
  account_id: maybeId,
  user_id: text,
  status: word,
  status_detail: statusDetail,
  first_name: text,
  last_name: text,
  name: text,
  dob: maskedAs('****-**-**'),
  ssn_last4: maskedAs('****'),
  email: maskedEmail,
  mobile_number: maskedPhone,
  phone: maskedPhone,
  relationship: maybe(z.object({ primary: flag, control: flag, owner: flag, percent_ownership: maybeNumber, title: text })),
  external_id: text,
  metadata,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type Representative = z.output<typeof representative>

/** The data of a representative that other reads mask, with id and name. */
export const unmaskedRepresentative = z.object({
  id,
  account_id: maybeId,
  name: text,
  dob: text,
  ssn_last4: text,
  email: text,
  mobile_number: text,
  phone: text,
})

export type UnmaskedRepresentative = z.output<typeof unmaskedRepresentative>

/** All filters of the list (provider facts 1.9). */
export const representativesFilter = z.strictObject({
  ...createPagingFields(['id', 'name', 'created_at'], 'id'),
  account_id: id.optional(),
  organization_id: id.optional(),
  platform_id: id.optional(),
  level: oneOf(levels).optional(),
})

const requiredBoolean = z.boolean('Must be true or false.')

const person = {
  first_name: requiredLine(100, 'Enter the first name.'),
  last_name: requiredLine(100, 'Enter the last name.'),
  dob: day,
  ssn_last4: z.string('Enter the last four digits.').regex(/^\d{4}$/, 'Must be the last 4 digits.'),
  email,
  mobile_number: phone,
  relationship: z
    .strictObject({
      primary: requiredBoolean,
      control: requiredBoolean,
      owner: requiredBoolean,
      percent_ownership: z.number('Must be a number.').min(0, 'Must be 0 or more.').max(100, 'Must be at most 100.').optional(),
      title: requiredLine(100, 'Enter the title.').optional(),
    })
    .refine(({ owner, percent_ownership }) => !owner || percent_ownership !== undefined, {
      message: 'Enter the ownership of the owner.',
      path: ['percent_ownership'],
    }),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

export const newRepresentative = z.strictObject({ account_id: id, ...person })

/** Input of a representative change. It replaces all fields, except that omitted metadata and an omitted reference stay. */
export const representativeUpdate = z.strictObject({ id, ...person })

export const representativeSchemas = {
  'representatives.list': { input: representativesFilter, output: z.array(representative) },
  'representatives.get': { input: idInput, output: representative },
  'representatives.unmask': { input: idInput, output: unmaskedRepresentative },
  'representatives.create': { input: newRepresentative, output: representative },
  'representatives.update': { input: representativeUpdate, output: representative },
}
