import { z } from 'zod'
import {
  externalIdSchema,
  metadataInputSchema,
  timestampSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { DocTable } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'

export const organizationSchema = z
  .strictObject({
    id: uuidSchema,
    name: z.string(),
    external_id: externalIdSchema.nullable(),
    metadata: metadataInputSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Organization' })

export type Organization = z.infer<typeof organizationSchema>

export const createOrganizationTable = (store: SqliteStore) =>
  new DocTable<Organization>(store, {
    name: 'organizations',
    columns: {
      name: (made) => made.name.toLowerCase(),
      external_id: ({ external_id }) => external_id,
      created_at: ({ created_at }) => created_at,
    },
  })

export type OrganizationTable = ReturnType<typeof createOrganizationTable>

/** The one platform of a sandbox. It owns all API keys, and the objects without an account. */
export const platformId = '018cc251-f400-7000-8000-00000000a11e'
