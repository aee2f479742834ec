import type { Account, Limits } from '@/sandbox/accounts/account'
import type { AccountBook } from '@/sandbox/accounts/account-book'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { accountNames, cities, streets } from './names'
import type { SeedTime } from './seed-time'

const onboarding: Readonly<Record<number, { status: string; reason: string; message: string }>> = {
  10: { status: 'onboarding', reason: 'in_review', message: 'The application is being reviewed' },
  11: { status: 'created', reason: 'unverified', message: 'The account was created and is not verified yet' },
}

const active = { status: 'active', reason: 'verified', message: 'The account is verified' }

/** Limits of a payment type in cents. They decide which seeded payouts are over a limit. */
function limits(random: Random, time: SeedTime): Limits {
  const max_amount = random.pick([250_000, 500_000, 1_000_000])
  return {
    max_amount,
    daily_amount: max_amount * 10,
    monthly_amount: max_amount * 100,
    monthly_count: random.pick([500, 1_000, 5_000]),
    funding_time: random.pick(['immediate', 'next_day', 'one_day']),
    linked_bank_account_id: time.id(random, time.start),
  }
}

function profile(random: Random, name: string, slug: string): Account['business_profile'] {
  const place = random.pick(cities)
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
      ...{ city: place.city, state: place.state, postal_code: place.zip, country: 'US' },
    },
    industry: { mcc: random.pick(['6513', '7361', '6300', '8099', '4215']), sector: 'services', category: 'business_services' },
    support_channels: { email: `help@${slug}.example.com`, phone: `+1512555${random.digits(4)}`, url: `https://${slug}.example.com/help` },
  }
}

/** Twelve accounts of one organization: ten active, one onboarding, one just created. */
export function seedAccounts(book: AccountBook, random: Random, time: SeedTime): void {
  const organization_id = time.id(random, time.start)
  const on = { capability_status: 'active' }
  for (const [index, name] of accountNames.entries()) {
    const { status, reason, message } = onboarding[index] ?? active
    const at = time.start + index * 3_600_000
    const slug = name.toLowerCase().replace(/[^a-z]+/g, '-')
    book.insert(index + 1, {
      id: time.id(random, at),
      organization_id,
      type: 'business',
      status,
      status_detail: { reason, source: 'watchtower', code: '', message },
      access_level: 'standard',
      business_profile: profile(random, name, slug),
      capabilities: {
        payment_types: { charges: on, payouts: on },
        customer_types: { individuals: on, businesses: on },
        consent_types: { signed_agreement: on, internet: on },
      },
      settings: { charges: limits(random, time), payouts: limits(random, time) },
      terms_of_service:
        status === 'created'
          ? null
          : {
              accepted_date: iso(at),
              agreement_url: `https://${slug}.example.com/terms`,
              ...{ agreement_type: 'embedded', accepted_ip: '203.0.113.7', accepted_user_agent: 'Mozilla/5.0' },
            },
      metadata: { tier: random.pick(['gold', 'silver', 'standard']) },
      external_id: `acct-${slug}`,
      ...{ created_at: iso(at), updated_at: iso(at) },
    })
  }
}
