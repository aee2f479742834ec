import { type Customer, type CustomerSecret, type CustomerStatus, maskedDevice, maskIdentifiers } from '@/sandbox/customers/customer-schema'
import { type BankDetails, buildPaykey, paykeyLifetime, storePaykey } from '@/sandbox/paykeys/new-paykey'
import type { Paykey, PaykeyConfig, Verification } from '@/sandbox/paykeys/paykey-schema'
import { blockingCodes, type PaykeyEntry } from '@/sandbox/paykeys/paykey-store'
import { hasHolderNames, makeVerification, toVerificationMove } from '@/sandbox/paykeys/verify-paykey'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, timesAt } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { banks, businessNames, cities, firstNames, hostileNames, lastNames, streets } from './names'
import { makePaykeySpec, type SeededPaykeySpec } from './paykey-specs'
import { getSeededFinding, getSeededStatus, makeSeededConfig, seedReview } from './seed-account-objects'
import type { SeedTime } from './seed-time'

const customerCount = 400

/** The first ten accounts are active. The others have no customers. */
const activeAccounts = 10

type SeededCustomer = { n: number; account: number; id: string; name: string; status: CustomerStatus }

function makeCustomerName(random: Random, index: number, business: boolean): string {
  // Some customers get a hostile name. It is more frequent among those in review, because people read those pages closely.
  const hostile = hostileNames[(index - 30) / 60] ?? hostileNames[(index - 309) / 14]
  if (hostile !== undefined) return hostile
  if (business) return `${random.pick(businessNames)}${random.chance(0.3) ? ` of ${random.pick(cities).city}` : ''}`
  const middle = random.chance(0.15) ? `${random.pick(lastNames)} ` : ''
  return `${random.pick(firstNames)} ${middle}${random.pick(lastNames)}`
}

const person = (random: Random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`

/** Returns identifiers that are invalid on purpose: real social security numbers never start with 9, and real tax numbers never with 00. */
function identifiers(random: Random, business: boolean, name: string): NonNullable<CustomerSecret['compliance_profile']> {
  if (!business) {
    const dob = `${random.int(1940, 2005)}-${String(random.int(1, 12)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
    return { ssn: `9${random.digits(2)}-${random.digits(2)}-${random.digits(4)}`, dob }
  }
  const representatives = Array.from({ length: random.int(1, 2) }, (_, index) => {
    return { name: person(random), email: `owner.${index + 1}@shop.example.com`, phone: `+1${random.int(201, 989)}555${random.digits(4)}` }
  })
  return {
    ein: `00-${random.digits(7)}`,
    legal_business_name: `${name} Inc.`.slice(0, 100),
    website: 'https://shop.example.com',
    representatives,
  }
}

function localPart(name: string): string {
  const ascii = name.toLowerCase().normalize('NFD')
  const dotted = ascii.replace(/[^a-z]+/g, '.').replace(/^\.|\.$/g, '')
  return dotted.slice(0, 40) || 'customer'
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
  // An unsafe page would render this value as markup.
  if (index % 60 === 30) return { note: '<b onmouseover="alert(1)">vip</b>', שלום: '\u202Egnp.exe' }
  return random.chance(0.2) ? { segment: random.pick(['retail', 'partner', 'vip']) } : {}
}

function makeCustomer(random: Random, time: SeedTime, index: number): { doc: Customer; secret: CustomerSecret } {
  const turn = getSeededFinding(index)
  const isBusiness = turn ? turn.type === 'business' : random.chance(0.3)
  const name = makeCustomerName(random, index, isBusiness)
  const at = time.start + index * 600_000
  const status = getSeededStatus(index)
  const compliance_profile = identifiers(random, isBusiness, name)
  const doc: Customer = {
    id: time.id(random, at),
    name,
    type: isBusiness ? 'business' : 'individual',
    email: `${localPart(name)}.${index}@example.com`,
    phone: `+1${random.int(201, 989)}555${random.digits(4)}`,
    external_id: `cust-${String(index).padStart(5, '0')}`,
    status,
    ...timesAt(at),
    address: makeAddress(random),
    compliance_profile: maskIdentifiers(compliance_profile),
    device: maskedDevice,
    metadata: makeMetadata(random, index),
    config: makeSeededConfig(status),
  }
  return { doc, secret: { ip_address: random.chance(0.1) ? '0.0.0.0' : `203.0.113.${random.int(1, 254)}`, compliance_profile } }
}

export function seedCustomers(sandbox: Sandbox, random: Random, time: SeedTime): SeededCustomer[] {
  return Array.from({ length: customerCount }, (_, index) => {
    const account = (index % activeAccounts) + 1
    const { doc, secret } = makeCustomer(random, time, index)
    const { n } = sandbox.customers.insert(account, doc, secret)
    seedReview(sandbox, random, time, n, doc, index)
    return { n, account, id: doc.id, name: doc.name, status: doc.status }
  })
}

/**
 * The fields of a seeded paykey that payments need. Numbers are row numbers. `status` is `expired` for an expired paykey, while its
 * document has another status.
 */
export type SeededPaykey = { n: number; account: number; customer: number; status: string; code: string | null }

const paykeyCount = 600
const minute = 60_000
const day = 86_400_000

const config: PaykeyConfig = { sandbox_outcome: 'standard', processing_method: 'inline' }

/** Returns an unmasked token from the seeded generator, so that the same seed gives the same tokens. */
const makeToken = (random: Random): string => `${random.hex(8)}.02.${random.hex(64)}`

const makeBank = (random: Random): BankDetails => ({
  routing_number: random.pick(banks).routing,
  account_number: random.digits(9),
  account_type: random.pick(['checking', 'checking', 'savings']),
})

/**
 * Returns a seeded balance: without a value for bank details alone. For others, an aggregator read it within the last two days, or the read
 * failed.
 */
function makeBalance(random: Random, spec: SeededPaykeySpec, end: number): Paykey['balance'] {
  const updated_at = iso(end - random.int(5, 48 * 60) * minute)
  const account_balance = random.int(1_000, 9_000_000)
  if (!hasHolderNames(spec.source)) return { status: 'pending', account_balance: null, updated_at: null }
  if (spec.balance === 'failed') return { status: 'failed', account_balance: null, updated_at }
  return { status: spec.balance, account_balance, updated_at }
}

function pickChangeTime(random: Random, { state }: SeededPaykeySpec, at: number, end: number): number {
  return state.status === 'blocked' ? Math.min(at + random.int(2, 60) * day, end - random.int(1, 40) * 60 * minute) : at + 3_000
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
  const subject = { source: spec.source, routing_number: origin.bank.routing_number, names_on_account, customer_name: owner.name }
  const times = { id: time.id(random, origin.at), created: origin.at, updated: origin.at + 3_000 }
  return makeVerification(subject, { ...times, config: { ...config, sandbox_outcome: spec.verdict } })
}

function seedPaykey(
  { sandbox, random, time, bankAccounts }: SeedContext,
  index: number,
  owner: SeededCustomer,
  spec: SeededPaykeySpec,
): PaykeyEntry {
  const at = time.start + 4_500_000 + index * 420_000
  const bank = bankAccounts[spec.sharesWith ?? -1] ?? makeBank(random)
  bankAccounts.push(bank)
  const changed = pickChangeTime(random, spec, at, time.end)
  const verification = makeSeededVerification(random, time, { at, bank }, owner, spec)
  const { status, cause } = spec.state
  // In review or rejected, use the message of the verification's finding.
  const findingCause = status === 'review' || status === 'rejected' ? toVerificationMove(verification).cause : {}
  const builtPaykey = buildPaykey({
    ...{ id: time.id(random, at), token: makeToken(random), customer_id: owner.id, source: spec.source, bank, config },
    ...{ status, cause: { ...cause, ...findingCause }, at, changed, unblocked: spec.unblocked },
    ...{ metadata: spec.metadata, external_id: `pk-${String(index).padStart(5, '0')}` },
    balance: makeBalance(random, spec, time.end),
    expires: spec.expiresIn === null ? at + paykeyLifetime : time.end + spec.expiresIn * day,
  })
  const code = blockingCodes.find((known) => known === cause.code)
  if (code !== undefined) sandbox.paykeys.rememberBlock(bank, code, changed)
  return storePaykey(sandbox, owner.account, builtPaykey, verification)
}

/** Seeds 600 paykeys, at least one per customer, and returns what payments need of them. The first ones are not active (see `makePaykeySpec`). */
export function seedPaykeys(sandbox: Sandbox, random: Random, time: SeedTime, customers: readonly SeededCustomer[]): SeededPaykey[] {
  const seeding = { sandbox, random, time, bankAccounts: [] }
  return Array.from({ length: paykeyCount }, (_, index) => {
    const owner = customers[index] ?? random.pick(customers)
    const type = sandbox.customers.at(owner.n)?.doc.type ?? 'individual'
    const spec = makePaykeySpec(random, index, { name: owner.name, type })
    const { n, doc } = seedPaykey(seeding, index, owner, spec)
    const status = spec.expiresIn !== null && spec.expiresIn < 0 ? 'expired' : doc.status
    return { n, account: owner.account, customer: owner.n, status, code: doc.status_details.code }
  })
}
