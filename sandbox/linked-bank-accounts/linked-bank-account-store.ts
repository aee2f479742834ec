import { z } from 'zod'
import { statusDetail, verificationReasons } from '@/sandbox/accounts/verification'
import { metadata, routingNumber, timestamp, uuid } from '@/sandbox/http/fields'
import { DocTable, type Entry } from '@/sandbox/store/doc-table'
import type { Store } from '@/sandbox/store/store'

/** The states of a linked bank account (provider-facts 2.1); `canceled` with one l. */
export const linkedBankAccountStatuses = ['created', 'onboarding', 'active', 'rejected', 'inactive', 'canceled'] as const

export const linkedBankAccountPurposes = ['charges', 'payouts', 'billing'] as const

const bankAccount = {
  institution_name: z.string(),
  account_holder: z.string(),
  routing_number: routingNumber,
}

/** A linked bank account as the service gives it (provider-facts 2.17): of the account number only the last four digits. */
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

/** The linked bank account with its whole account number in place of the last digits. */
export const unmaskedLinkedBankAccount = z
  .strictObject({ ...linkedBankAccount.shape, bank_account: z.strictObject({ ...bankAccount, account_number: z.string() }) })
  .meta({ id: 'UnmaskedLinkedBankAccount' })

export type LinkedBankAccount = z.infer<typeof linkedBankAccount>

/** One of the purposes. */
export type Purpose = (typeof linkedBankAccountPurposes)[number]

/** What only an unmasked read shows. */
export type LinkedBankAccountSecret = { account_number: string }

export type LinkedBankAccountEntry = Entry<LinkedBankAccount, LinkedBankAccountSecret>

/** All linked bank accounts, those of accounts and those of the platform. */
export const linkedBankAccountTable = (store: Store) =>
  new DocTable<LinkedBankAccount, LinkedBankAccountSecret>(store, {
    name: 'linked_bank_accounts',
    columns: {
      status: { kind: 'TEXT', of: (linked) => linked.status },
      level: { kind: 'TEXT', of: (linked) => (linked.account_id === null ? 'platform' : 'account') },
      purposes: { kind: 'TEXT', of: (linked) => linked.purposes.join(' ') },
      created_at: { kind: 'TEXT', of: (linked) => linked.created_at },
    },
  })

export type LinkedBankAccountTable = ReturnType<typeof linkedBankAccountTable>
