import * as z from 'zod'
import {
  createMaskedTextSchema,
  id,
  idInput,
  maskedEmail,
  maskedPhone,
  metadata,
  openEnumValue,
  optionalBoolean,
  optionalId,
  optionalNumber,
  optionalOf,
  optionalText,
  optionalTimestamp,
  stateReason,
} from './common.schema'
import { recordOwnerLevels } from './enumerations'
import {
  createOneLineTextSchema,
  createPagingFields,
  day,
  email,
  externalId,
  metadataInput,
  oneOf,
  phone,
} from './input.schema'

/** `percent_ownership` is from 0 to 100 (provider facts 2.16). */
export const representative = z.object({
  id,
  account_id: optionalId,
  user_id: optionalText,
  status: openEnumValue,
  status_detail: stateReason,
  first_name: optionalText,
  last_name: optionalText,
  name: optionalText,
  dob: createMaskedTextSchema('****-**-**'),
  ssn_last4: createMaskedTextSchema('****'),
  email: maskedEmail,
  mobile_number: maskedPhone,
  phone: maskedPhone,
  relationship: optionalOf(
    z.object({
      primary: optionalBoolean,
      control: optionalBoolean,
      owner: optionalBoolean,
      percent_ownership: optionalNumber,
      title: optionalText,
    }),
  ),
  external_id: optionalText,
  metadata,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type Representative = z.output<typeof representative>

export const unmaskedRepresentative = z.object({
  id,
  account_id: optionalId,
  name: optionalText,
  dob: optionalText,
  ssn_last4: optionalText,
  email: optionalText,
  mobile_number: optionalText,
  phone: optionalText,
})

export type UnmaskedRepresentative = z.output<typeof unmaskedRepresentative>

/** All filters that the list accepts (provider facts 1.9). */
export const representativesFilter = z.strictObject({
  ...createPagingFields(['id', 'name', 'created_at'], 'id'),
  account_id: id.optional(),
  organization_id: id.optional(),
  platform_id: id.optional(),
  level: oneOf(recordOwnerLevels).optional(),
})

const requiredBoolean = z.boolean('Must be true or false.')

const representativeInputFields = {
  first_name: createOneLineTextSchema(100, 'Enter the first name.'),
  last_name: createOneLineTextSchema(100, 'Enter the last name.'),
  dob: day,
  ssn_last4: z.string('Enter the last four digits.').regex(/^\d{4}$/, 'Must be the last 4 digits.'),
  email,
  mobile_number: phone,
  relationship: z
    .strictObject({
      primary: requiredBoolean,
      control: requiredBoolean,
      owner: requiredBoolean,
      percent_ownership: z
        .number('Must be a number.')
        .min(0, 'Must be 0 or more.')
        .max(100, 'Must be at most 100.')
        .optional(),
      title: createOneLineTextSchema(100, 'Enter the title.').optional(),
    })
    .refine(({ owner, percent_ownership }) => !owner || percent_ownership !== undefined, {
      message: 'Enter the ownership of the owner.',
      path: ['percent_ownership'],
    }),
  external_id: externalId.optional(),
  metadata: metadataInput,
}

export const newRepresentative = z.strictObject({ account_id: id, ...representativeInputFields })

/** A change replaces all fields, except that an omitted `metadata` or `external_id` stays. */
export const representativeUpdate = z.strictObject({ id, ...representativeInputFields })

export const representativeSchemas = {
  'representatives.list': { input: representativesFilter, output: z.array(representative) },
  'representatives.get': { input: idInput, output: representative },
  'representatives.unmask': { input: idInput, output: unmaskedRepresentative },
  'representatives.create': { input: newRepresentative, output: representative },
  'representatives.update': { input: representativeUpdate, output: representative },
}
