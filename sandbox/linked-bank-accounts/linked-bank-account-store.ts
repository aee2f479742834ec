import { z } from 'zod'
import { statusDetail, verificationReasons } from '@/sandbox/accounts/verification'
import { metadata, routingNumber, timestamp, uuid } from '@/sandbox/http/read-body'
import { DocTable, type Entry } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'

/** States of a linked bank account (provider-facts 2.1). The API spells `canceled` with one l. */
export const linkedBankAccountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive', 'canceled'] as const

export const linkedBankAccountPurposes = ['charges', 'payouts', 'billing'] as const

const bankAccount = {
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
    status_detail: statusDetail(verificationReasons),
    bank_account: z.strictObject({ ...bankAccount, account_mask: z.string().regex(/^\d{4}$/) }),
    purposes: z.array(z.enum(linkedBankAccountPurposes)),
    description: z.string().nullable(),
    metadata,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'LinkedBankAccount' })

export const unmaskedLinkedBankAccount = z
  .strictObject({ ...linkedBankAccount.shape, bank_account: z.strictObject({ ...bankAccount, account_number: z.string() }) })
  .meta({ id: 'UnmaskedLinkedBankAccount' })

export type LinkedBankAccount = z.infer<typeof linkedBankAccount>

export type Purpose = (typeof linkedBankAccountPurposes)[number]

type LinkedBankAccountSecret = { account_number: string }

export type LinkedBankAccountEntry = Entry<LinkedBankAccount, LinkedBankAccountSecret>

export const linkedBankAccountTable = (store: Store) =>
  new DocTable<LinkedBankAccount, LinkedBankAccountSecret>(store, {
    name: 'linked_bank_accounts',
    columns: {
      status: ({ status }) => status,
      level: (linked) => (linked.account_id === null ? 'platform' : 'account'),
      purposes: (linked) => linked.purposes.join(' '),
      created_at: ({ created_at }) => created_at,
    },
  })

export type LinkedBankAccountTable = ReturnType<typeof linkedBankAccountTable>
