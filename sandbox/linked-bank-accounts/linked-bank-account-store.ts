import { z } from 'zod'
import { makeStatusDetailSchema, verificationReasons } from '@/sandbox/accounts/verification'
import {
  metadataInputSchema,
  routingNumberDigitsSchema,
  timestampSchema,
  uuidSchema,
} from '@/sandbox/http/read-body'
import { DocTable, type TableEntry } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'

/** The service spells `canceled` here, but `cancelled` for payments (provider-facts 2.1). */
export const linkedBankAccountStatuses = [
  'created',
  'onboarding',
  'active',
  'rejected',
  'inactive',
  'canceled',
] as const

export const linkedBankAccountPurposes = ['charges', 'payouts', 'billing'] as const

const bankAccountFields = {
  institution_name: z.string(),
  account_holder: z.string(),
  routing_number: routingNumberDigitsSchema,
}

export const linkedBankAccountSchema = z
  .strictObject({
    id: uuidSchema,
    account_id: uuidSchema.nullable(),
    platform_id: uuidSchema.nullable(),
    status: z.enum(linkedBankAccountStatuses),
    status_detail: makeStatusDetailSchema(verificationReasons),
    bank_account: z.strictObject({
      ...bankAccountFields,
      account_mask: z.string().regex(/^\d{4}$/),
    }),
    purposes: z.array(z.enum(linkedBankAccountPurposes)),
    description: z.string().nullable(),
    metadata: metadataInputSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: 'LinkedBankAccount' })

export const unmaskedLinkedBankAccountSchema = z
  .strictObject({
    ...linkedBankAccountSchema.shape,
    bank_account: z.strictObject({ ...bankAccountFields, account_number: z.string() }),
  })
  .meta({ id: 'UnmaskedLinkedBankAccount' })

export type LinkedBankAccount = z.infer<typeof linkedBankAccountSchema>

export type LinkedBankAccountPurpose = (typeof linkedBankAccountPurposes)[number]

type LinkedBankAccountHiddenFields = { account_number: string }

export type LinkedBankAccountEntry = TableEntry<LinkedBankAccount, LinkedBankAccountHiddenFields>

export const createLinkedBankAccountTable = (store: SqliteStore) =>
  new DocTable<LinkedBankAccount, LinkedBankAccountHiddenFields>(store, {
    name: 'linked_bank_accounts',
    columns: {
      status: ({ status }) => status,
      level: (linked) => (linked.account_id === null ? 'platform' : 'account'),
      purposes: (linked) => linked.purposes.join(' '),
      created_at: ({ created_at }) => created_at,
    },
  })

export type LinkedBankAccountTable = ReturnType<typeof createLinkedBankAccountTable>
