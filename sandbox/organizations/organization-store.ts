import { z } from 'zod'
import { externalId, metadata, timestamp, uuid } from '@/sandbox/http/read-body'
import { DocTable } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'

export const organization = z
  .strictObject({
    id: uuid,
    name: z.string(),
    external_id: externalId.nullable(),
    metadata,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organization' })

export type Organization = z.infer<typeof organization>

export const organizationTable = (store: Store) =>
  new DocTable<Organization>(store, {
    name: 'organizations',
    columns: {
      name: (made) => made.name.toLowerCase(),
      external_id: ({ external_id }) => external_id,
      created_at: ({ created_at }) => created_at,
    },
  })

export type OrganizationTable = ReturnType<typeof organizationTable>

/** Id of the one platform that all API keys of a sandbox belong to. Objects without an account belong to it. */
export const platformId = '018cc251-f400-7000-8000-00000000a11e'
