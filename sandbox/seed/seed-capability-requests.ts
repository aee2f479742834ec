import { type CapabilityRequest, capabilityCategories } from '@/sandbox/capability-requests/capability-request-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import type { SeededAccount } from './seed-accounts'
import type { SeedTime } from './seed-time'

type Draft = Pick<CapabilityRequest, 'type' | 'status' | 'enable'> & {
  account: number
  daysAgo: number
  /** Multiple of the current limits that is requested. */
  times?: number
}

/** At least one request per state. Granted ones match the account's data. */
const drafts: readonly Draft[] = [
  { account: 0, type: 'payouts', status: 'in_review', enable: true, times: 4, daysAgo: 2 },
  { account: 1, type: 'charges', status: 'in_review', enable: true, times: 2, daysAgo: 1 },
  { account: 2, type: 'charges', status: 'reviewing', enable: true, times: 3, daysAgo: 4 },
  { account: 3, type: 'payouts', status: 'approved', enable: true, times: 1, daysAgo: 6 },
  { account: 4, type: 'payouts', status: 'active', enable: true, times: 1, daysAgo: 30 },
  { account: 5, type: 'internet', status: 'active', enable: true, daysAgo: 41 },
  { account: 6, type: 'charges', status: 'rejected', enable: true, times: 50, daysAgo: 12 },
  { account: 10, type: 'businesses', status: 'in_review', enable: true, daysAgo: 3 },
  { account: 15, type: 'individuals', status: 'inactive', enable: false, daysAgo: 55 },
]

function askedFor({ doc }: SeededAccount, { type, times }: Draft): CapabilityRequest['settings'] {
  if (times === undefined || (type !== 'charges' && type !== 'payouts')) return null
  const { max_amount, daily_amount, monthly_amount, monthly_count } = doc.settings[type]
  return {
    ...{ max_amount: max_amount * times, daily_amount: daily_amount * times },
    ...{ monthly_amount: monthly_amount * times, monthly_count: monthly_count * times },
  }
}

export function seedCapabilityRequests(sandbox: Sandbox, random: Random, time: SeedTime, accounts: readonly SeededAccount[]): void {
  for (const draft of drafts) {
    const entry = accounts[draft.account]
    if (!entry) continue
    const { type, status, enable, daysAgo } = draft
    const at = time.end - daysAgo * 86_400_000
    const decided = status === 'in_review' ? at : at + random.int(2, 20) * 3_600_000
    const newRequest: CapabilityRequest = {
      id: time.id(random, at),
      ...{ account_id: entry.doc.id, type, category: capabilityCategories[type], settings: askedFor(entry, draft), status, enable },
      ...{ created_at: iso(at), updated_at: iso(decided) },
    }
    sandbox.capabilityRequests.insert(entry.n, newRequest, null)
    if (enable) continue
    entry.doc.capabilities.customer_types.individuals.capability_status = 'inactive'
    sandbox.accounts.save(entry)
  }
}
