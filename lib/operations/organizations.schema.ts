import * as z from 'zod'
import { id, metadata, optionalText, optionalTimestamp, textOrEmpty } from './common.schema'
import {
  createOneLineTextSchema,
  createPagingFields,
  externalId,
  metadataInput,
  shortText,
} from './input.schema'

/** A group of accounts (provider facts 2.15). */
export const organization = z.object({
  id,
  name: textOrEmpty,
  external_id: optionalText,
  metadata,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type Organization = z.output<typeof organization>

/** All filters of the list (provider facts 1.8). */
export const organizationsFilter = z.strictObject({
  ...createPagingFields(['id', 'name', 'created_at'], 'id'),
  name: shortText,
  external_id: shortText,
})

export const newOrganization = z.strictObject({
  name: createOneLineTextSchema(200, 'Enter the name of the organization.'),
  external_id: externalId.optional(),
  metadata: metadataInput,
})

export const organizationSchemas = {
  'organizations.list': { input: organizationsFilter, output: z.array(organization) },
  'organizations.get': { input: z.strictObject({ id }), output: organization },
  'organizations.create': { input: newOrganization, output: organization },
}
