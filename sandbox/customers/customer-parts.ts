import { unprocessable } from '@/sandbox/http/problem'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { CreateBody, UpdateBody } from './customer-bodies'
import type { Customer, Identifiers } from './customer-schema'

/** Returns an address as stored: without its type, which no response contains. */
export function addressOf(given: CreateBody['address']): Customer['address'] {
  if (!given) return null
  const { address1, address2, city, state, zip } = given
  return { address1, address2: address2 || null, city, state, zip }
}

/**
 * Returns the identifiers as stored, with all optional fields. Throws a 422 with `compliance_profile` if they do not match the customer's
 * type, or with its `dob` if that is in the future.
 */
export function identifiersOf(type: Customer['type'], given: UpdateBody['compliance_profile'], now: number): Identifiers | null {
  if (!given) return null
  const matchesType = 'ssn' in given === (type === 'individual')
  if (!matchesType) {
    const detail = `does not fit: the customer is ${type === 'business' ? 'a business' : 'an individual'}`
    throw unprocessable('The identifiers do not fit the customer.', [{ reference: 'compliance_profile', detail }])
  }
  if ('ssn' in given) {
    if (given.dob < paymentDateOf(now)) return given
    throw unprocessable('The date of birth lies in the future.', [{ reference: 'compliance_profile.dob', detail: 'must lie in the past' }])
  }
  const { ein, legal_business_name, website, representatives } = given
  const people = (representatives ?? []).map(({ name, email, phone }) => ({ name, email: email ?? null, phone: phone ?? null }))
  return { ein, legal_business_name, website: website ?? null, representatives: people }
}
