import { type Customer, type CustomerSecret, type CustomerStatus, maskedDevice, maskIdentifiers } from '@/sandbox/customers/customer-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { businessNames, cities, firstNames, hostileNames, lastNames, streets } from './names'
import { seededConfig, seededStatus, seededTurn, seedReview } from './seed-reviews'
import type { SeedTime } from './seed-time'

const customerCount = 400

/** The first ten accounts are active; the others have no customers. */
const activeAccounts = 10

/** The fields of a seeded customer that paykeys need; numbers are row numbers. */
export type SeededCustomer = { n: number; account: number; id: string; name: string; status: CustomerStatus }

function nameOf(random: Random, index: number, business: boolean): string {
  // Some among all customers, and more among those in review, which get a closer look.
  const hostile = hostileNames[(index - 30) / 60] ?? hostileNames[(index - 309) / 14]
  if (hostile !== undefined) return hostile
  if (business) return `${random.pick(businessNames)}${random.chance(0.3) ? ` of ${random.pick(cities).city}` : ''}`
  const middle = random.chance(0.15) ? `${random.pick(lastNames)} ` : ''
  return `${random.pick(firstNames)} ${middle}${random.pick(lastNames)}`
}

const person = (random: Random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`

/** Returns invalid numbers on purpose: real social security numbers never start with 9, tax numbers never with 00. */
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

function addressOf(random: Random): Customer['address'] {
  const { city, state, zip } = random.pick(cities)
  return {
    address1: `${random.int(10, 9_999)} ${random.pick(streets)}`,
    address2: random.chance(0.2) ? `Apt ${random.int(1, 40)}` : null,
    ...{ city, state, zip },
  }
}

function metadataOf(random: Random, index: number): Record<string, string> {
  // A value that an unsafe page would render as markup.
  if (index % 60 === 30) return { note: '<b onmouseover="alert(1)">vip</b>', שלום: '\u202Egnp.exe' }
  return random.chance(0.2) ? { segment: random.pick(['retail', 'partner', 'vip']) } : {}
}

function customer(random: Random, time: SeedTime, index: number): { doc: Customer; secret: CustomerSecret } {
  const turn = seededTurn(index)
  const business = turn ? turn.type === 'business' : random.chance(0.3)
  const name = nameOf(random, index, business)
  const at = time.start + index * 600_000
  const status = seededStatus(index)
  const compliance_profile = identifiers(random, business, name)
  const doc: Customer = {
    id: time.id(random, at),
    name,
    type: business ? 'business' : 'individual',
    email: `${localPart(name)}.${index}@example.com`,
    phone: `+1${random.int(201, 989)}555${random.digits(4)}`,
    external_id: `cust-${String(index).padStart(5, '0')}`,
    status,
    ...{ created_at: iso(at), updated_at: iso(at) },
    address: addressOf(random),
    compliance_profile: maskIdentifiers(compliance_profile),
    device: maskedDevice,
    metadata: metadataOf(random, index),
    config: seededConfig(status),
  }
  return { doc, secret: { ip_address: random.chance(0.1) ? '0.0.0.0' : `203.0.113.${random.int(1, 254)}`, compliance_profile } }
}

/** Seeds 400 customers in the ten active accounts, with their verifications. */
export function seedCustomers(sandbox: Sandbox, random: Random, time: SeedTime): SeededCustomer[] {
  return Array.from({ length: customerCount }, (_, index) => {
    const account = (index % activeAccounts) + 1
    const { doc, secret } = customer(random, time, index)
    const { n } = sandbox.customers.insert(account, doc, secret)
    seedReview(sandbox, random, time, n, doc, index)
    return { n, account, id: doc.id, name: doc.name, status: doc.status }
  })
}
