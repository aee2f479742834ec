import {
  type Account,
  type AccountLimits,
  defaultAccountConfiguration,
  type HiddenAccountFields,
} from '@/sandbox/accounts/account'
import { createInitialCapabilities } from '@/sandbox/accounts/account-machine'
import { toStatusDetail } from '@/sandbox/accounts/verification'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime } from '@/sandbox/store/clock'
import type { TableEntry } from '@/sandbox/store/doc-table'
import type { Random } from '@/sandbox/store/random'
import { accountNames, cities, streets } from './names'
import { getActiveAccountCount } from './seed-owners'
import type { SeedTime } from './seed-time'

export type SeededAccount = TableEntry<Account, HiddenAccountFields>

type SeededAccountStatus = {
  status: Account['status']
  reason: Account['status_detail']['reason']
  message?: string
}

/** Statuses of the accounts that are not active. The key is the account's index. */
const nonActiveAccountStatuses: Readonly<Record<number, SeededAccountStatus>> = {
  10: { status: 'onboarding', reason: 'in_review', message: 'The application is being reviewed' },
  11: {
    status: 'created',
    reason: 'unverified',
    message: 'The account was created and is not verified yet',
  },
  12: {
    status: 'onboarding',
    reason: 'stuck',
    message: 'The address on the bank statement is not the one of the company register',
  },
  13: { status: 'onboarding', reason: 'pending' },
  14: {
    status: 'rejected',
    reason: 'failed_verification',
    message: 'The business could not be verified',
  },
  15: {
    status: 'inactive',
    reason: 'terminated',
    message: 'The account was closed at its own request',
  },
}

const activeAccountStatus: SeededAccountStatus = {
  status: 'active',
  reason: 'verified',
  message: 'The account is verified',
}

/**
 * Number of accounts whose values come from the first random generator. Later accounts use the
 * second one, so that they do not change what the first one generates next.
 */
const firstGeneratorAccountCount = 12

/**
 * Above this number of seeded payments of an account, limits are multiplied: otherwise the seeded
 * payments would use them up, and nearly every new payment would be held.
 */
const maxPaymentsForBasicLimits = 500

/**
 * Returns the limits of an account, with amounts in cents. `linked_bank_account_id` belongs to a
 * bank account that `seedLinkedBankAccounts` creates later.
 */
function makeLimits(random: Random, time: SeedTime, accountPaymentCount: number): AccountLimits {
  const limitFactor = Math.max(1, Math.ceil(accountPaymentCount / maxPaymentsForBasicLimits))
  const max_amount = random.pick([250_000, 500_000, 1_000_000])
  return {
    max_amount,
    daily_amount: max_amount * 10 * limitFactor,
    monthly_amount: max_amount * 100 * limitFactor,
    monthly_count: random.pick([500, 1_000, 5_000]) * limitFactor,
    funding_time: random.pick(['immediate', 'next_day', 'one_day'] as const),
    linked_bank_account_id: time.id(random, time.start),
  }
}

function makeBusinessProfile(
  random: Random,
  name: string,
  slug: string,
): Account['business_profile'] {
  const city = random.pick(cities)
  return {
    name,
    website: `https://${slug}.example.com`,
    legal_name: `${name}, LLC`,
    description: `${name} pays and collects for its customers`,
    use_case: 'Bank payments to and from customers',
    tax_id: random.digits(9),
    phone: `+1512555${random.digits(4)}`,
    address: {
      line1: `${random.int(10, 9_999)} ${random.pick(streets)}`,
      line2: random.chance(0.3) ? `Suite ${random.int(100, 900)}` : null,
      ...{ city: city.city, state: city.state, postal_code: city.zip, country: 'US' },
    },
    industry: {
      mcc: random.pick(['6513', '7361', '6300', '8099', '4215']),
      sector: 'services',
      category: 'business_services',
    },
    support_channels: {
      email: `help@${slug}.example.com`,
      phone: `+1512555${random.digits(4)}`,
      url: `https://${slug}.example.com/help`,
    },
  }
}

function makeTermsOfService(slug: string, acceptedAt: number): Account['terms_of_service'] {
  return {
    accepted_date: toIsoTime(acceptedAt),
    agreement_url: `https://${slug}.example.com/terms`,
    ...{
      agreement_type: 'embedded',
      accepted_ip: '203.0.113.7',
      accepted_user_agent: 'Mozilla/5.0',
    },
  }
}

const makeAccountConfiguration = (index: number): HiddenAccountFields['configuration'] => ({
  ...defaultAccountConfiguration,
  ...{ allow_data_unmask: index % 5 !== 3, allow_duplicate_email: index % 4 === 1 },
  ...{
    allow_customer_identity_skip: index % 3 === 0,
    allow_paykey_verification_skip: index % 3 === 2,
  },
})

/**
 * Seeds sixteen accounts: ten active ones, then at least one in each other status. A direct account
 * is the first of them, alone. The first twelve accounts use `random`, the others `extraRandom`.
 */
export function seedAccounts(
  sandbox: Sandbox,
  random: Random,
  extraRandom: Random,
  time: SeedTime,
  organizations: readonly string[],
): readonly SeededAccount[] {
  const { integration, plan } = sandbox
  const accountPaymentCount = plan.payments / getActiveAccountCount(integration)
  const names = integration === 'account' ? accountNames.slice(0, 1) : accountNames
  return names.map((name, index) => {
    const accountRandom = index < firstGeneratorAccountCount ? random : extraRandom
    const { status, reason, message } = nonActiveAccountStatuses[index] ?? activeAccountStatus
    const createdAt = time.start + index * 3_600_000
    const slug = name.toLowerCase().replace(/[^a-z]+/g, '-')
    const account: Account = {
      id: time.id(accountRandom, createdAt),
      organization_id: organizations[index % 4 === 3 ? 1 : 0] ?? '',
      type: 'business',
      status,
      status_detail: toStatusDetail(reason, message),
      access_level: index % 6 === 5 ? 'managed' : 'standard',
      business_profile: makeBusinessProfile(accountRandom, name, slug),
      capabilities: createInitialCapabilities('sandbox'),
      settings: {
        charges: makeLimits(accountRandom, time, accountPaymentCount),
        payouts: makeLimits(accountRandom, time, accountPaymentCount),
      },
      terms_of_service: status === 'created' ? null : makeTermsOfService(slug, createdAt),
      metadata: { tier: accountRandom.pick(['gold', 'silver', 'standard']) },
      external_id: `acct-${slug}`,
      ...makeTimestamps(createdAt),
    }
    return sandbox.accounts.insert(null, account, {
      configuration: makeAccountConfiguration(index),
    })
  })
}
