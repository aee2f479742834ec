import {
  type Customer,
  type CustomerHiddenFields,
  type CustomerStatus,
  maskedDeviceFields,
  maskIdentifiers,
} from '@/sandbox/customers/customer-schema'
import type { Sandbox } from '@/sandbox/sandbox'
import { makeTimestamps } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { businessNames, cities, edgeCaseNames, firstNames, lastNames, streets } from './names'
import {
  getSeededCustomerFinding,
  getSeededCustomerStatus,
  makeSeededCustomerConfig,
  seedCustomerReview,
} from './seed-account-objects'
import { getSeededOwner } from './seed-owners'
import type { SeedTime } from './seed-time'

const customerCount = 400

/** `owner` is the row number of the customer's account; null if the platform owns the customer. */
export type SeededCustomer = {
  n: number
  owner: number | null
  id: string
  name: string
  status: CustomerStatus
}

function makeCustomerName(random: Random, index: number, isBusinessCustomer: boolean): string {
  // From index 309 on, only customers in review get hostile names: reviewers open their pages.
  const edgeCaseName = edgeCaseNames[(index - 30) / 60] ?? edgeCaseNames[(index - 309) / 14]
  if (edgeCaseName !== undefined) return edgeCaseName
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
  const seededFinding = getSeededCustomerFinding(index)
  const isBusiness = seededFinding ? seededFinding.type === 'business' : random.chance(0.3)
  const name = makeCustomerName(random, index, isBusiness)
  const createdAt = time.start + index * 600_000
  const status = getSeededCustomerStatus(index)
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
    device: maskedDeviceFields,
    metadata: makeMetadata(random, index),
    config: makeSeededCustomerConfig(status),
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
    const owner = getSeededOwner(sandbox.integration, index)
    const { doc, secret } = makeCustomer(random, time, index)
    const { n } = sandbox.customers.insert(owner, doc, secret)
    seedCustomerReview(sandbox, random, time, n, doc, index)
    return { n, owner, id: doc.id, name: doc.name, status: doc.status }
  })
}
