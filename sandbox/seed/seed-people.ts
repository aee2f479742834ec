import type { Customer } from '@/sandbox/customers/customer-book'
import type { PaykeyDoc } from '@/sandbox/paykeys/paykey-book'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { accountNames, banks, businessNames, cities, firstNames, hostileNames, lastNames, streets } from './names'
import type { SeedTime } from './seed-time'

/** What the payments need to know of a seeded paykey; numbers are those of the tables. */
export type SeededPaykey = { n: number; account: number; customer: number; status: string; code: string | null }

const customerCount = 400
const paykeyCount = 600
const dayInMs = 86_400_000

function nameOf(random: Random, index: number, business: boolean): string {
  const hostile = hostileNames[(index - 30) / 60]
  if (hostile !== undefined) return hostile
  if (business) return `${random.pick(businessNames)}${random.chance(0.3) ? ` of ${random.pick(cities).city}` : ''}`
  const middle = random.chance(0.15) ? `${random.pick(lastNames)} ` : ''
  return `${random.pick(firstNames)} ${middle}${random.pick(lastNames)}`
}

function customer(random: Random, time: SeedTime, index: number): Customer {
  const business = random.chance(0.3)
  const name = nameOf(random, index, business)
  const at = time.start + index * 600_000
  const local =
    name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]+/g, '.')
      .replace(/^\.|\.$/g, '')
      .slice(0, 40) || 'customer'
  const place = random.pick(cities)
  const status = random.chance(0.94) ? 'verified' : random.pick(['review', 'rejected', 'inactive', 'pending'])
  return {
    id: time.id(random, at),
    name,
    type: business ? 'business' : 'individual',
    email: `${local}.${index}@example.com`,
    phone: `+1${random.int(201, 989)}555${random.digits(4)}`,
    status,
    ...{ created_at: iso(at), updated_at: iso(at) },
    external_id: `cust-${String(index).padStart(5, '0')}`,
    address: {
      address1: `${random.int(10, 9_999)} ${random.pick(streets)}`,
      address2: random.chance(0.2) ? `Apt ${random.int(1, 40)}` : null,
      ...{ city: place.city, state: place.state, zip: place.zip },
    },
    compliance_profile: business
      ? { ein: '**-*******', legal_business_name: `${name} Inc.`.slice(0, 100), website: 'https://shop.example.com' }
      : { dob: '****-**-**', ssn: '***-**-****' },
    device: { ip_address: '**.**.**.**' },
    metadata: random.chance(0.2) ? { segment: random.pick(['retail', 'partner', 'vip']) } : {},
    config: { sandbox_outcome: 'standard', processing_method: 'inline' },
  }
}

type PaykeyState = { status: string; reason: string; source: string; message: string; code: string | null }

/** What a paykey's status carries, by the word the control plane uses too. Both causes of a block are known: only R29 can be undone. */
export const paykeyStates = {
  active: { status: 'active', reason: 'ok', source: 'system', message: 'Bank account verified', code: null },
  pending: { status: 'pending', reason: 'validating', source: 'system', message: 'Being verified', code: null },
  review: {
    ...{ status: 'review', reason: 'require_review', source: 'watchtower' },
    message: 'Account holder and customer name differ',
    code: null,
  },
  blocked: {
    ...{ status: 'blocked', reason: 'disputed', source: 'customer_dispute' },
    message: 'Corporate customer advises the entry is not authorized',
    code: 'R29',
  },
  closed: { status: 'blocked', reason: 'closed_bank_account', source: 'bank_decline', message: 'Account closed', code: 'R02' },
  inactive: { status: 'inactive', reason: 'cancel_request', source: 'user_action', message: 'Cancelled on request', code: null },
  rejected: { status: 'rejected', reason: 'failed_verification', source: 'watchtower', message: 'Verification failed', code: null },
} as const satisfies Record<string, PaykeyState>

/** The first paykeys are in states somebody has to look at, up to the index given; all others are active. */
const paykeyShares = [
  ['review', 20],
  ['blocked', 28],
  ['closed', 35],
  ['inactive', 45],
  ['rejected', 50],
] as const

const paykeyState = (index: number): PaykeyState => paykeyStates[paykeyShares.find(([, end]) => index < end)?.[0] ?? 'active']

type Born = { id: string; at: number; index: number; balanceAt: number }

/**
 * A paykey document for a customer; `index` only numbers its external id and `balanceAt` is when its balance was last read. The token is given
 * apart, since it has its own column.
 */
export function makePaykey(random: Random, customerId: string, { id, at, index, balanceAt }: Born, state: PaykeyState): PaykeyDoc {
  const bank = random.pick(banks)
  const lastFour = random.digits(4)
  return {
    id,
    label: `${bank.name} - *${lastFour}`,
    source: random.pick(['bank_account', 'bank_account', 'plaid', 'mx', 'quiltt']),
    status: state.status,
    ...{ created_at: iso(at), updated_at: iso(at + 3_000) },
    config: { sandbox_outcome: 'standard', processing_method: 'inline' },
    customer_id: customerId,
    institution_name: bank.name,
    status_details: {
      ...{ message: state.message, reason: state.reason, source: state.source, code: state.code },
      changed_at: iso(at + 3_000),
    },
    expires_at: iso(at + 365 * dayInMs),
    bank_data: {
      routing_number: bank.routing,
      account_number: `*****${lastFour}`,
      account_type: random.pick(['checking', 'checking', 'savings']),
    },
    metadata: {},
    balance: { status: 'completed', account_balance: random.int(1_000, 9_000_000), updated_at: iso(balanceAt) },
    external_id: `pk-${String(index).padStart(5, '0')}`,
    unblock_eligible: state.status === 'blocked' ? state.code === 'R29' : null,
  }
}

/** A full paykey token: 8 hexadecimal digits, the version, 64 hexadecimal digits. */
export const makeToken = (random: Random): string => `${random.hex(8)}.02.${random.hex(64)}`

/** 400 customers spread over the accounts and 600 paykeys of theirs; gives the paykeys for the payments to use. */
export function seedPeople({ customers, paykeys }: Sandbox, random: Random, time: SeedTime): SeededPaykey[] {
  const ids: string[] = []
  // The last two accounts are not active yet and have nobody.
  const accountOf = (index: number) => (index % (accountNames.length - 2)) + 1
  for (let index = 0; index < customerCount; index++) {
    const made = customer(random, time, index)
    ids.push(made.id)
    customers.insert(index + 1, accountOf(index), made)
  }
  return Array.from({ length: paykeyCount }, (_, index) => {
    const owner = index < customerCount ? index : random.int(0, customerCount - 1)
    const at = time.start + 4_500_000 + index * 420_000
    const state = paykeyState(index)
    // Read within the last two days, as a service does that looks at balances before it pays.
    const born = { id: time.id(random, at), at, index, balanceAt: time.end - random.int(5, 48 * 60) * 60_000 }
    const doc = makePaykey(random, ids[owner] ?? '', born, state)
    paykeys.insert(index + 1, accountOf(owner), owner + 1, makeToken(random), doc)
    return { n: index + 1, account: accountOf(owner), customer: owner + 1, status: state.status, code: state.code }
  })
}
