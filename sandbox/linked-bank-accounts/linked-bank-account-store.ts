import { z } from 'zod'
import { makeStatusDetailSchema, verificationReasons } from '@/sandbox/accounts/verification'
import { metadata, routingNumber, timestamp, uuid } from '@/sandbox/http/read-body'
import { DocTable, type TableEntry } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'

/**
 * Statuses of a linked bank account (provider-facts 2.1). The service spells `canceled` with one l
 * here, unlike `cancelled` of payments. Do not correct it.
 */
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
  routing_number: routingNumber,
}

export const linkedBankAccount = z
  .strictObject({
    id: uuid,
    account_id: uuid.nullable(),
    platform_id: uuid.nullable(),
    status: z.enum(linkedBankAccountStatuses),
    status_detail: makeStatusDetailSchema(verificationReasons),
    bank_account: z.strictObject({
      ...bankAccountFields,
      account_mask: z.string().regex(/^\d{4}$/),
    }),
    purposes: z.array(z.enum(linkedBankAccountPurposes)),
    description: z.string().nullable(),
    metadata,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'LinkedBankAccount' })

export const unmaskedLinkedBankAccount = z
  .strictObject({
    ...linkedBankAccount.shape,
    bank_account: z.strictObject({ ...bankAccountFields, account_number: z.string() }),
  })
  .meta({ id: 'UnmaskedLinkedBankAccount' })

export type LinkedBankAccount = z.infer<typeof linkedBankAccount>

export type LinkedBankAccountPurpose = (typeof linkedBankAccountPurposes)[number]

type LinkedBankAccountSecret = { account_number: string }

export type LinkedBankAccountEntry = TableEntry<LinkedBankAccount, LinkedBankAccountSecret>

export const createLinkedBankAccountTable = (store: SqliteStore) =>
  new DocTable<LinkedBankAccount, LinkedBankAccountSecret>(store, {
    name: 'linked_bank_accounts',
    columns: {
      status: ({ status }) => status,
      level: (linked) => (linked.account_id === null ? 'platform' : 'account'),
      purposes: (linked) => linked.purposes.join(' '),
      created_at: ({ created_at }) => created_at,
    },
  })

export type LinkedBankAccountTable = ReturnType<typeof createLinkedBankAccountTable>
