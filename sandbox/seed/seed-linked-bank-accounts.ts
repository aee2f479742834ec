import { toStatusDetail } from '@/sandbox/accounts/verification'
import type {
  LinkedBankAccount,
  LinkedBankAccountPurpose,
} from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import { platformId } from '@/sandbox/organizations/organization-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks } from './names'
import type { SeededAccount } from './seed-accounts'
import type { SeedTime } from './seed-time'

type LinkedBankAccountDraft = Pick<
  LinkedBankAccount,
  'id' | 'account_id' | 'status' | 'status_detail' | 'description'
> & {
  holder: string
  purposes: LinkedBankAccountPurpose[]
  at: number
}

function insertLinkedBankAccount(
  { linkedBankAccounts }: Sandbox,
  random: Random,
  accountRowNumber: number | null,
  draft: LinkedBankAccountDraft,
): void {
  const bank = random.pick(banks.filter((known) => known.name !== 'Gringotts'))
  const account_number = random.digits(10)
  const { holder, purposes, at, ...same } = draft
  const newBankAccount: LinkedBankAccount = {
    ...same,
    platform_id: draft.account_id === null ? platformId : null,
    bank_account: {
      ...{ institution_name: bank.name, account_holder: holder },
      ...{ routing_number: bank.routing, account_mask: account_number.slice(-4) },
    },
    ...{ purposes, metadata: {}, ...makeTimestamps(at) },
  }
  linkedBankAccounts.insert(accountRowNumber, newBankAccount, { account_number })
}

function seedBankAccountsOfAccount(
  sandbox: Sandbox,
  random: Random,
  entry: SeededAccount,
  index: number,
): void {
  const { n, doc } = entry
  const { charges, payouts } = doc.settings
  const { status, status_detail } = doc
  const bankAccountStatusDetail = toStatusDetail(
    status_detail.reason === 'terminated' ? 'disabled' : status_detail.reason,
  )
  const sharedBankAccountFields = {
    account_id: doc.id,
    status,
    status_detail: bankAccountStatusDetail,
    holder: doc.business_profile.name,
    at: Date.parse(doc.created_at),
  }
  const hasSingleBankAccount = index % 3 === 0
  const operatingBankAccountPurposes: LinkedBankAccountPurpose[] = hasSingleBankAccount
    ? ['charges', 'payouts', 'billing']
    : ['charges', 'billing']
  const operatingBankAccount = {
    id: charges.linked_bank_account_id ?? '',
    purposes: operatingBankAccountPurposes,
    description: 'Operating account',
    ...sharedBankAccountFields,
  }
  insertLinkedBankAccount(sandbox, random, n, operatingBankAccount)
  if (hasSingleBankAccount) payouts.linked_bank_account_id = charges.linked_bank_account_id
  else
    insertLinkedBankAccount(sandbox, random, n, {
      id: payouts.linked_bank_account_id ?? '',
      purposes: ['payouts'],
      description: 'Payout account',
      ...sharedBankAccountFields,
    })
  // An account's settings must not refer to a rejected or inactive bank account.
  if (status === 'rejected' || status === 'inactive')
    charges.linked_bank_account_id = payouts.linked_bank_account_id = null
  sandbox.accounts.save(entry)
}

export function seedLinkedBankAccounts(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  accounts: readonly SeededAccount[],
): void {
  for (const [index, entry] of accounts.entries())
    seedBankAccountsOfAccount(sandbox, random, entry, index)
  const firstAccount = accounts[0]
  if (!firstAccount) return
  const payoutBankAccountDraft = {
    id: time.id(random, time.start + 90_000),
    at: time.start + 90_000,
    purposes: ['payouts'] satisfies LinkedBankAccountPurpose[],
  }
  const canceledStatusFields = {
    status: 'canceled',
    status_detail: toStatusDetail('disabled', 'Cancelled on request'),
  } as const
  const holderName = firstAccount.doc.business_profile.name
  insertLinkedBankAccount(sandbox, random, firstAccount.n, {
    ...payoutBankAccountDraft,
    ...canceledStatusFields,
    account_id: firstAccount.doc.id,
    holder: holderName,
    description: 'Entered twice',
  })
  // Without a platform there is no bank account for its fees.
  if (sandbox.integration === 'account') return
  const billingBankAccountDraft = {
    id: time.id(random, time.start),
    at: time.start,
    purposes: ['billing'] satisfies LinkedBankAccountPurpose[],
  }
  const verifiedStatusFields = {
    status: 'active',
    status_detail: toStatusDetail('verified'),
  } as const
  insertLinkedBankAccount(sandbox, random, null, {
    ...billingBankAccountDraft,
    ...verifiedStatusFields,
    account_id: null,
    holder: 'Meadowlark Platform',
    description: 'Fees',
  })
}
