import { toStatusDetail } from '@/sandbox/accounts/verification'
import {
  type CapabilityRequest,
  capabilityCategories,
} from '@/sandbox/capability-requests/capability-request-store'
import type { Customer, CustomerStatus } from '@/sandbox/customers/customer-schema'
import { toVerificationResult } from '@/sandbox/customers/customer-store'
import { findingNamesByType, verifyIdentity } from '@/sandbox/customers/verify-identity'
import type { Organization } from '@/sandbox/organizations/organization-store'
import type { Representative } from '@/sandbox/representatives/representative-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { firstNames, lastNames } from './names'
import type { SeededAccount } from './seed-accounts'
import type { SeedTime } from './seed-time'

const seededRelationships: readonly Representative['relationship'][] = [
  {
    primary: true,
    control: true,
    owner: true,
    percent_ownership: 60,
    title: 'Chief Executive Officer',
  },
  { primary: false, control: false, owner: true, percent_ownership: 40, title: 'Partner' },
  {
    primary: false,
    control: true,
    owner: false,
    percent_ownership: null,
    title: 'Finance Director',
  },
]

const padToTwoDigits = (number: number) => String(number).padStart(2, '0')
const makeBirthDate = (random: Random) =>
  `${random.int(1955, 1999)}-${padToTwoDigits(random.int(1, 12))}-${padToTwoDigits(random.int(1, 28))}`

/** Returns `disabled` for `terminated`, because only accounts can be terminated. */
const toVerificationReason = ({ reason }: SeededAccount['doc']['status_detail']) =>
  reason === 'terminated' ? 'disabled' : reason

export function seedRepresentatives(
  { representatives }: Sandbox,
  random: Random,
  time: SeedTime,
  accounts: readonly SeededAccount[],
): void {
  for (const [index, { n, doc }] of accounts.entries()) {
    for (const relationship of seededRelationships.slice(
      0,
      1 + (index % seededRelationships.length),
    )) {
      const [first_name, last_name] = [random.pick(firstNames), random.pick(lastNames)]
      const createdAt = Date.parse(doc.created_at) + random.int(5, 50) * 60_000
      const newRepresentative: Representative = {
        id: time.id(random, createdAt),
        ...{
          account_id: doc.id,
          user_id: null,
          status: doc.status,
          status_detail: toStatusDetail(toVerificationReason(doc.status_detail)),
        },
        ...{
          first_name,
          last_name,
          name: `${first_name} ${last_name}`,
          dob: '****-**-**',
          ssn_last4: '****',
        },
        email: `${first_name}.${last_name}`
          .toLowerCase()
          .replace(/[^a-z.]/g, '')
          .concat('@example.com'),
        ...{
          mobile_number: `+1512555${random.digits(4)}`,
          phone: null,
          relationship,
          external_id: `rep-${random.digits(6)}`,
        },
        ...{ metadata: {}, ...makeTimestamps(createdAt) },
      }
      representatives.insert(n, newRepresentative, {
        dob: makeBirthDate(random),
        ssn_last4: random.digits(4),
      })
    }
  }
}

const organizationNames = ['Meadowlark Holdings', 'Sahara & Fjord Ventures'] as const

/**
 * Seeds two organizations and returns their ids. The second id comes from its own generator,
 * because one more value drawn from `random` would change all later ids.
 */
export function seedOrganizations(
  { organizations }: Sandbox,
  random: Random,
  extraRandom: Random,
  time: SeedTime,
): readonly string[] {
  return organizationNames.map((name, index) => {
    const timestamps = makeTimestamps(time.start)
    const metadata = { region: index === 0 ? 'us-south' : 'us-north' }
    const newOrganization: Organization = {
      id: time.id(index === 0 ? random : extraRandom, time.start),
      ...{ name, external_id: `org-${index + 1}`, metadata, ...timestamps },
    }
    organizations.insert(null, newOrganization, null)
    return newOrganization.id
  })
}

type CapabilityRequestDraft = Pick<CapabilityRequest, 'type' | 'status' | 'enable'> & {
  account: number
  daysAgo: number
  /** Requested limits as a multiple of the current ones. */
  times?: number
}

const capabilityRequestDrafts: readonly CapabilityRequestDraft[] = [
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

function toRequestedLimits(
  { doc }: SeededAccount,
  { type, times }: CapabilityRequestDraft,
): CapabilityRequest['settings'] {
  if (times === undefined || (type !== 'charges' && type !== 'payouts')) return null
  const { max_amount, daily_amount, monthly_amount, monthly_count } = doc.settings[type]
  return {
    ...{ max_amount: max_amount * times, daily_amount: daily_amount * times },
    ...{ monthly_amount: monthly_amount * times, monthly_count: monthly_count * times },
  }
}

export function seedCapabilityRequests(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  accounts: readonly SeededAccount[],
): void {
  for (const draft of capabilityRequestDrafts) {
    const accountEntry = accounts[draft.account]
    if (!accountEntry) continue
    const { type, status, enable, daysAgo } = draft
    const requestedAt = time.end - daysAgo * 86_400_000
    const decidedAt =
      status === 'in_review' ? requestedAt : requestedAt + random.int(2, 20) * 3_600_000
    const newRequest: CapabilityRequest = {
      id: time.id(random, requestedAt),
      ...{
        account_id: accountEntry.doc.id,
        type,
        category: capabilityCategories[type],
        settings: toRequestedLimits(accountEntry, draft),
        status,
        enable,
      },
      ...{ created_at: toIsoTime(requestedAt), updated_at: toIsoTime(decidedAt) },
    }
    sandbox.capabilityRequests.insert(accountEntry.n, newRequest, null)
    if (enable) continue
    accountEntry.doc.capabilities.customer_types.individuals.capability_status = 'inactive'
    sandbox.accounts.save(accountEntry)
  }
}

/** All customers before this index are verified. */
const firstUnverifiedCustomerIndex = 300

export function getSeededCustomerStatus(index: number): CustomerStatus {
  const offset = index - firstUnverifiedCustomerIndex
  if (offset < 0) return 'verified'
  if (offset % 7 === 2) return 'review'
  if (offset % 17 === 3) return 'rejected'
  if (offset % 20 === 5) return 'pending'
  return offset % 13 === 1 ? 'inactive' : 'verified'
}

const seededCustomerFindings = (['individual', 'business'] as const).flatMap((type) =>
  findingNamesByType[type].map((found) => ({ type, found })),
)

/** Returns the finding of the review; undefined unless the customer is in review or rejected. */
export function getSeededCustomerFinding(
  index: number,
): (typeof seededCustomerFindings)[number] | undefined {
  const hasFinding = ['review', 'rejected'].includes(getSeededCustomerStatus(index))
  return hasFinding
    ? seededCustomerFindings[
        Math.floor((index - firstUnverifiedCustomerIndex) / 7) % seededCustomerFindings.length
      ]
    : undefined
}

const sandboxOutcomeByStatus = {
  review: 'review',
  rejected: 'rejected',
  pending: 'standard',
  verified: 'standard',
  inactive: 'standard',
} as const

/** `sandbox_outcome` makes a repeated verification return the same result as the seeded one. */
export const makeSeededCustomerConfig = (status: CustomerStatus): Customer['config'] => ({
  sandbox_outcome: sandboxOutcomeByStatus[status],
  processing_method: status === 'pending' ? 'background' : 'inline',
})

export function seedCustomerReview(
  { customers }: Sandbox,
  random: Random,
  time: SeedTime,
  customerRowNumber: number,
  customer: Customer,
  index: number,
): void {
  if (customer.status === 'pending') return
  const at = Date.parse(customer.created_at)
  const verificationResult = toVerificationResult(customer.config.sandbox_outcome)
  customers.keepIdentity(
    customerRowNumber,
    verifyIdentity(
      customer,
      verificationResult,
      time.id(random, at),
      at,
      getSeededCustomerFinding(index)?.found,
    ),
  )
}
