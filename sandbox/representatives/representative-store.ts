import { z } from 'zod'
import { accountStatuses } from '@/sandbox/accounts/account'
import { makeStatusDetailSchema, verificationReasons } from '@/sandbox/accounts/verification'
import {
  dateSchema,
  externalIdSchema,
  metadataInputSchema,
  timestampSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { platformId } from '@/sandbox/organizations/organization-store'
import { DocTable, type TableEntry } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'

export const representativeSchema = z
  .strictObject({
    id: uuidSchema,
    account_id: uuidSchema,
    user_id: uuidSchema.nullable(),
    status: z.enum(accountStatuses),
    status_detail: makeStatusDetailSchema(verificationReasons),
    first_name: z.string(),
    last_name: z.string(),
    name: z.string(),
    dob: z.literal('****-**-**'),
    ssn_last4: z.literal('****'),
    email: z.string().nullable(),
    mobile_number: z.string(),
    phone: z.string().nullable(),
    relationship: z.strictObject({
      primary: z.boolean(),
      control: z.boolean(),
      owner: z.boolean(),
      percent_ownership: z.number().min(0).max(100).nullable(),
      title: z.string().nullable(),
    }),
    external_id: externalIdSchema.nullable(),
    metadata: metadataInputSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'Representative' })

export const unmaskedRepresentativeSchema = z
  .strictObject({
    ...representativeSchema.shape,
    dob: dateSchema,
    ssn_last4: z.string().regex(/^[0-9]{4}$/),
  })
  .meta({ id: 'UnmaskedRepresentative' })

export type Representative = z.infer<typeof representativeSchema>

type RepresentativeHiddenFields = { dob: string; ssn_last4: string }

export type RepresentativeEntry = TableEntry<Representative, RepresentativeHiddenFields>

export const createRepresentativeTable = (store: SqliteStore) =>
  new DocTable<Representative, RepresentativeHiddenFields>(store, {
    name: 'representatives',
    columns: {
      name: (person) => person.name.toLowerCase(),
      level: () => 'account',
      platform_id: () => platformId,
      created_at: ({ created_at }) => created_at,
    },
  })

export type RepresentativeTable = ReturnType<typeof createRepresentativeTable>
