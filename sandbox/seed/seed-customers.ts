import {
  type Customer,
  type CustomerHiddenFields,
  type CustomerStatus,
  maskedDevice,
  maskIdentifiers,
} from '@/sandbox/customers/customer-schema'
import {
  type BankDetails,
  buildPaykey,
  paykeyLifetime,
  storePaykey,
} from '@/sandbox/paykeys/new-paykey'
import type { Paykey, PaykeyConfig, Verification } from '@/sandbox/paykeys/paykey-schema'
import { blockingCodes, type PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import {
  hasHolderNames,
  makeVerification,
  toVerificationMove,
} from '@/sandbox/paykeys/verify-paykey'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps, toIsoTime } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks, businessNames, cities, firstNames, hostileNames, lastNames, streets } from './names'
import { makePaykeySpec, type SeededPaykeySpec } from './paykey-specs'
import {
  getSeededFinding,
  getSeededStatus,
  makeSeededConfig,
  seedReview,
} from './seed-account-objects'
import type { SeedTime } from './seed-time'

const customerCount = 400

/** The first ten accounts are active. The others have no customers. */
const activeAccountCount = 10

type SeededCustomer = {
  n: number
  account: number
  id: string
  name: string
  status: CustomerStatus
}

function makeCustomerName(random: Random, index: number, isBusinessCustomer: boolean): string {
  // From index 309 on, only customers in review get hostile names: people read their pages.
  const hostileName = hostileNames[(index - 30) / 60] ?? hostileNames[(index - 309) / 14]
  if (hostileName !== undefined) return hostileName
  if (isBusinessCustomer)
    return `${random.pick(businessNames)}${random.chance(0.3) ? ` of ${random.pick(cities).city}` : ''}`
  const middleName = random.chance(0.15) ? `${random.pick(lastNames)} ` : ''
  return `${random.pick(firstNames)} ${middleName}${random.pick(lastNames)}`
}

const makePersonName = (random: Random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`

/**
 * Returns identifiers that are invalid on purpose: no real social security number starts with 9,
 * and no real tax number starts with 00.
 */
function makeInvalidIdentifiers(
  random: Random,
  business: boolean,
  name: string,
): NonNullable<CustomerHiddenFields['compliance_profile']> {
  if (!business) {
    const dob = `${random.int(1940, 2005)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
    return { ssn: `9${random.digits(2)}-${random.digits(2)}-${random.digits(4)}`, dob }
  }
  const representatives = Array.from({ length: random.int(1, 2) }, (_, index) => {
    return {
      name: makePersonName(random),
      email: `owner.${index + 1}@shop.example.com`,
      phone: `+1${random.int(201, 989)}555${random.digits(4)}`,
    }
  })
  return {
    ein: `00-${random.digits(7)}`,
    legal_business_name: `${name} Inc.`.slice(0, 100),
    website: 'https://shop.example.com',
    representatives,
  }
}

function toEmailLocalPart(name: string): string {
  const decomposedName = name.toLowerCase().normalize('NFD')
  const dottedName = decomposedName.replace(/[^a-z]+/g, '.').replace(/^\.|\.$/g, '')
  return dottedName.slice(0, 40) || 'customer'
}

function makeAddress(random: Random): Customer['address'] {
  const { city, state, zip } = random.pick(cities)
  return {
    address1: `${random.int(10, 9_999)} ${random.pick(streets)}`,
    address2: random.chance(0.2) ? `Apt ${random.int(1, 40)}` : null,
    ...{ city, state, zip },
  }
}

function makeMetadata(random: Random, index: number): Record<string, string> {
  // A page that does not escape this value would run its script.
  if (index % 60 === 30) return { note: '<b onmouseover="alert(1)">vip</b>', שלום: '\u202Egnp.exe' }
  return random.chance(0.2) ? { segment: random.pick(['retail', 'partner', 'vip']) } : {}
}

function makeCustomer(
  random: Random,
  time: SeedTime,
  index: number,
): { doc: Customer; secret: CustomerHiddenFields } {
  const seededFinding = getSeededFinding(index)
  const isBusiness = seededFinding ? seededFinding.type === 'business' : random.chance(0.3)
  const name = makeCustomerName(random, index, isBusiness)
  const createdAt = time.start + index * 600_000
  const status = getSeededStatus(index)
  const compliance_profile = makeInvalidIdentifiers(random, isBusiness, name)
  const doc: Customer = {
    id: time.id(random, createdAt),
    name,
    type: isBusiness ? 'business' : 'individual',
    email: `${toEmailLocalPart(name)}.${index}@example.com`,
    phone: `+1${random.int(201, 989)}555${random.digits(4)}`,
    external_id: `cust-${String(index).padStart(5, '0')}`,
    status,
    ...makeTimestamps(createdAt),
    address: makeAddress(random),
    compliance_profile: maskIdentifiers(compliance_profile),
    device: maskedDevice,
    metadata: makeMetadata(random, index),
    config: makeSeededConfig(status),
  }
  return {
    doc,
    secret: {
      ip_address: random.chance(0.1) ? '0.0.0.0' : `203.0.113.${random.int(1, 254)}`,
      compliance_profile,
    },
  }
}

export function seedCustomers(sandbox: Sandbox, random: Random, time: SeedTime): SeededCustomer[] {
  return Array.from({ length: customerCount }, (_, index) => {
    const accountRowNumber = (index % activeAccountCount) + 1
    const { doc, secret } = makeCustomer(random, time, index)
    const { n } = sandbox.customers.insert(accountRowNumber, doc, secret)
    seedReview(sandbox, random, time, n, doc, index)
    return { n, account: accountRowNumber, id: doc.id, name: doc.name, status: doc.status }
  })
}

/**
 * The fields of a seeded paykey that payments need. `n`, `account` and `customer` are row numbers.
 * `status` is `expired` for an expired paykey, although its stored document has another status.
 */
export type SeededPaykey = {
  n: number
  account: number
  customer: number
  status: string
  code: string | null
}

const paykeyCount = 600
const minuteMs = 60_000
const dayMs = 86_400_000

const config: PaykeyConfig = { sandbox_outcome: 'standard', processing_method: 'inline' }

/** The same seed gives the same tokens. */
const makePaykeyToken = (random: Random): string => `${random.hex(8)}.02.${random.hex(64)}`

const makeBank = (random: Random): BankDetails => ({
  routing_number: random.pick(banks).routing,
  account_number: random.digits(9),
  account_type: random.pick(['checking', 'checking', 'savings']),
})

/** Only an aggregator can read a balance, so it stays `pending` for other sources. */
function makeBalance(random: Random, spec: SeededPaykeySpec, periodEnd: number): Paykey['balance'] {
  const updated_at = toIsoTime(periodEnd - random.int(5, 48 * 60) * minuteMs)
  const account_balance = random.int(1_000, 9_000_000)
  if (!hasHolderNames(spec.source))
    return { status: 'pending', account_balance: null, updated_at: null }
  if (spec.balance === 'failed') return { status: 'failed', account_balance: null, updated_at }
  return { status: spec.balance, account_balance, updated_at }
}

function pickStatusChangeTime(
  random: Random,
  { state }: SeededPaykeySpec,
  at: number,
  periodEnd: number,
): number {
  return state.status === 'blocked'
    ? Math.min(at + random.int(2, 60) * dayMs, periodEnd - random.int(1, 40) * 60 * minuteMs)
    : at + 3_000
}

type PaykeyOrigin = { at: number; bank: BankDetails }
type SeedContext = { sandbox: Sandbox; random: Random; time: SeedTime; bankAccounts: BankDetails[] }

function makeSeededVerification(
  random: Random,
  time: SeedTime,
  origin: PaykeyOrigin,
  owner: SeededCustomer,
  spec: SeededPaykeySpec,
): Verification {
  const names_on_account = hasHolderNames(spec.source) ? spec.names : []
  const verificationSubject = {
    source: spec.source,
    routing_number: origin.bank.routing_number,
    names_on_account,
    customer_name: owner.name,
  }
  const idAndTimes = {
    id: time.id(random, origin.at),
    created: origin.at,
    updated: origin.at + 3_000,
  }
  return makeVerification(verificationSubject, {
    ...idAndTimes,
    config: { ...config, sandbox_outcome: spec.verdict },
  })
}

function seedPaykey(
  { sandbox, random, time, bankAccounts }: SeedContext,
  index: number,
  owner: SeededCustomer,
  spec: SeededPaykeySpec,
): PaykeyEntry {
  const paykeyCreatedAt = time.start + 4_500_000 + index * 420_000
  const bank = bankAccounts[spec.sharesWith ?? -1] ?? makeBank(random)
  bankAccounts.push(bank)
  const statusChangedAt = pickStatusChangeTime(random, spec, paykeyCreatedAt, time.end)
  const verification = makeSeededVerification(
    random,
    time,
    { at: paykeyCreatedAt, bank },
    owner,
    spec,
  )
  const { status, cause } = spec.state
  // The message of a paykey in review or rejected comes from its verification.
  const findingCause =
    status === 'review' || status === 'rejected' ? toVerificationMove(verification).cause : {}
  const builtPaykey = buildPaykey({
    ...{
      id: time.id(random, paykeyCreatedAt),
      token: makePaykeyToken(random),
      customer_id: owner.id,
      source: spec.source,
      bank,
      config,
    },
    ...{
      status,
      cause: { ...cause, ...findingCause },
      at: paykeyCreatedAt,
      changed: statusChangedAt,
      unblocked: spec.unblocked,
    },
    ...{ metadata: spec.metadata, external_id: `pk-${String(index).padStart(5, '0')}` },
    balance: makeBalance(random, spec, time.end),
    expires:
      spec.expiresIn === null
        ? paykeyCreatedAt + paykeyLifetime
        : time.end + spec.expiresIn * dayMs,
  })
  const code = blockingCodes.find((known) => known === cause.code)
  if (code !== undefined) sandbox.paykeys.rememberBlock(bank, code, statusChangedAt)
  return storePaykey(sandbox, owner.account, builtPaykey, verification)
}

/** Seeds 600 paykeys, at least one per customer. The first 50 are not active. */
export function seedPaykeys(
  sandbox: Sandbox,
  random: Random,
  time: SeedTime,
  customers: readonly SeededCustomer[],
): SeededPaykey[] {
  const seedContext = { sandbox, random, time, bankAccounts: [] }
  return Array.from({ length: paykeyCount }, (_, index) => {
    const paykeyCustomer = customers[index] ?? random.pick(customers)
    const type = sandbox.customers.at(paykeyCustomer.n)?.doc.type ?? 'individual'
    const spec = makePaykeySpec(random, index, { name: paykeyCustomer.name, type })
    const { n, doc } = seedPaykey(seedContext, index, paykeyCustomer, spec)
    const status = spec.expiresIn !== null && spec.expiresIn < 0 ? 'expired' : doc.status
    return {
      n,
      account: paykeyCustomer.account,
      customer: paykeyCustomer.n,
      status,
      code: doc.status_details.code,
    }
  })
}
