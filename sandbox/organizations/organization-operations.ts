import { z } from 'zod'
import { externalIdSchema, makeTextSchema, metadataInputSchema } from '@/sandbox/http/read-body'
import { makePagingParameters, searchTextParameter } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { defineTableResource } from '@/sandbox/resource'
import { makeTimestamps } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { organizationSchema } from './organization-store'

const organizationListQuerySchema = z.strictObject({
  ...makePagingParameters(['id', 'name', 'created_at']),
  name: searchTextParameter,
  external_id: externalIdSchema.optional(),
})

const createOrganizationBodySchema = z.strictObject({
  name: makeTextSchema(200),
  metadata: metadataInputSchema.nullish(),
  external_id: externalIdSchema.nullish(),
})

const organizationResource = defineTableResource({
  name: 'organizations',
  account: 'forbidden',
  parameter: 'organization_id',
  output: organizationSchema,
  noun: 'organization',
  table: ({ organizations }) => organizations,
  owner: () => '',
})

const definedOperations: readonly Operation[] = [
  organizationResource.create(
    { summary: 'Create an organization', input: createOrganizationBodySchema },
    ({ sandbox, input, now }) => {
      const { name, metadata: given, external_id } = input
      const creationTimestamps = makeTimestamps(now)
      return sandbox.organizations.insert(
        null,
        {
          id: newId(now),
          name,
          external_id: external_id ?? null,
          metadata: given ?? {},
          ...creationTimestamps,
        },
        null,
      )
    },
  ),
  organizationResource.list(
    {
      summary: 'List organizations',
      query: organizationListQuerySchema,
      output: organizationSchema,
    },
    ({ name, external_id }) => [
      { column: 'name', has: name },
      { column: 'external_id', is: external_id },
    ],
    (doc) => doc,
  ),
  organizationResource.get('Look up an organization'),
]

/**
 * The service cannot update or delete an organization (provider-facts 1.8), so neither can the
 * sandbox.
 */
export const organizationOperations: readonly Operation[] = definedOperations.map((operation) => ({
  ...operation,
  needsPlatform: true,
}))
