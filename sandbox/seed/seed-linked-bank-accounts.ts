import { detailOf } from '@/sandbox/accounts/verification'
import type { LinkedBankAccount, Purpose } from '@/sandbox/linked-bank-accounts/linked-bank-account-store'
import { platformId } from '@/sandbox/organizations/platform'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks } from './names'
import type { SeededAccount } from './seed-accounts'
import type { SeedTime } from './seed-time'

type Draft = Pick<LinkedBankAccount, 'id' | 'account_id' | 'status' | 'status_detail' | 'description'> & {
  holder: string
  purposes: Purpose[]
  at: number
}

function insert({ linkedBankAccounts }: Sandbox, random: Random, n: number | null, draft: Draft): void {
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
    ...{ purposes, metadata: {}, created_at: iso(at), updated_at: iso(at) },
  }
  linkedBankAccounts.insert(n, newBankAccount, { account_number })
}

/** Links the bank accounts in an account's settings; every third account uses one for all purposes. */
function seedFor(sandbox: Sandbox, random: Random, entry: SeededAccount, index: number): void {
  const { n, doc } = entry
  const { charges, payouts } = doc.settings
  const { status, status_detail } = doc
  const detail = detailOf(status_detail.reason === 'terminated' ? 'disabled' : status_detail.reason)
  const shared = { account_id: doc.id, status, status_detail: detail, holder: doc.business_profile.name, at: Date.parse(doc.created_at) }
  const single = index % 3 === 0
  const first: Purpose[] = single ? ['charges', 'payouts', 'billing'] : ['charges', 'billing']
  const operating = { id: charges.linked_bank_account_id ?? '', purposes: first, description: 'Operating account', ...shared }
  insert(sandbox, random, n, operating)
  if (single) payouts.linked_bank_account_id = charges.linked_bank_account_id
  else
    insert(sandbox, random, n, {
      id: payouts.linked_bank_account_id ?? '',
      purposes: ['payouts'],
      description: 'Payout account',
      ...shared,
    })
  // A rejected or inactive bank account is not in the settings.
  if (status === 'rejected' || status === 'inactive') charges.linked_bank_account_id = payouts.linked_bank_account_id = null
  sandbox.accounts.save(entry)
}

/** Seeds the bank accounts of every account, a canceled one of the first account, and the platform's own. */
export function seedLinkedBankAccounts(sandbox: Sandbox, random: Random, time: SeedTime, accounts: readonly SeededAccount[]): void {
  for (const [index, entry] of accounts.entries()) seedFor(sandbox, random, entry, index)
  const first = accounts[0]
  if (!first) return
  const payoutDraft = { id: time.id(random, time.start + 90_000), at: time.start + 90_000, purposes: ['payouts'] satisfies Purpose[] }
  const canceled = { status: 'canceled', status_detail: detailOf('disabled', 'Cancelled on request') } as const
  const holder = first.doc.business_profile.name
  insert(sandbox, random, first.n, { ...payoutDraft, ...canceled, account_id: first.doc.id, holder, description: 'Entered twice' })
  const billing = { id: time.id(random, time.start), at: time.start, purposes: ['billing'] satisfies Purpose[] }
  const verified = { status: 'active', status_detail: detailOf('verified') } as const
  insert(sandbox, random, null, { ...billing, ...verified, account_id: null, holder: 'Meadowlark Platform', description: 'Fees' })
}
