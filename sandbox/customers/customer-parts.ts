import { unprocessable } from '@/sandbox/http/problem'
import { paymentDateOf } from '@/sandbox/store/clock'
import type { CreateBody, UpdateBody } from './customer-bodies'
import type { Customer, Identifiers } from './customer-schema'

/** An address as it is kept: without the kind, which no answer shows. */
export function addressOf(given: CreateBody['address']): Customer['address'] {
  if (!given) return null
  const { address1, address2, city, state, zip } = given
  return { address1, address2: address2 || null, city, state, zip }
}

/**
 * The identifiers as they are kept, every optional field filled. Throws the 422 naming `compliance_profile` when they are a person's for a
 * business, or the other way round, and naming its `dob` for a birth that is still to come.
 */
export function identifiersOf(type: Customer['type'], given: UpdateBody['compliance_profile'], now: number): Identifiers | null {
  if (!given) return null
  const fits = 'ssn' in given === (type === 'individual')
  if (!fits) {
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
