import { expect, test } from 'vitest'
import { sourceText } from './source-text'
import { whyHeld } from './why-held'

const details = (reason: string, source = 'watchtower', message?: string) => ({
  reason,
  source,
  message,
  code: undefined,
  changed_at: undefined,
})

test.each([
  ['auto_hold', 'auto_hold'],
  ['amount_too_large', 'over_limit'],
  ['user_request', 'held_by_person'],
  ['risk_review', 'risk'],
  ['watchtower_review', 'risk'],
  ['invalid_paykey', 'bank_account'],
  ['insufficient_funds', 'funds'],
  ['duplicate_entry', 'duplicate'],
])('%s is explained by %s', (reason, id) => {
  expect(whyHeld({ details: details(reason) }).id).toBe(id)
})

test('the paykey in review comes before what the service wrote', () => {
  expect(whyHeld({ details: details('watchtower_review'), paykeyStatus: 'review' }).id).toBe('paykey_review')
  expect(whyHeld({ details: details('auto_hold'), paykeyStatus: 'blocked', paykeyCode: 'R29' }).line).toContain('R29')
})

test('a block that can never be lifted says so', () => {
  const facts = { details: details('invalid_paykey'), paykeyStatus: 'blocked', paykeyCode: 'R02' }
  expect(whyHeld({ ...facts, unblockEligible: false })).toMatchObject({ id: 'paykey_lost', line: 'Bank account blocked for good (R02)' })
  expect(whyHeld({ ...facts, unblockEligible: true }).id).toBe('paykey_blocked')
  expect(whyHeld(facts).id).toBe('paykey_blocked')
})

test('a hold by a person wins over an auto hold of the past', () => {
  expect(whyHeld({ details: details('user_request', 'user_action', 'Talk first'), autoHold: true }).line).toBe('On request: “Talk first”')
})

test('the single limit is named with the excess only when both figures are known', () => {
  const facts = { details: details('amount_too_large'), amount: 150_000, maxAmount: 100_000, formatAmount: (minor: number) => `${minor}` }
  expect(whyHeld(facts).line).toBe('Over the single-payment limit by 50000')
  expect(whyHeld({ ...facts, maxAmount: null }).id).toBe('over_limit')
})

test('missing proof is the last guess and only for the risk engine', () => {
  expect(whyHeld({ details: details('something_new'), documents: 0 }).id).toBe('no_document')
  expect(whyHeld({ details: details('something_new', 'system'), documents: 0 }).id).toBe('unknown')
})

test('nothing is guessed where nothing matches', () => {
  expect(whyHeld({ details: details('brand_new', 'nobody') })).toMatchObject({ id: 'unknown', line: 'We do not know yet why' })
  expect(whyHeld({ details: undefined }).id).toBe('unknown')
})

test('sources read as people, unknown ones as they are', () => {
  expect(sourceText('Watchtower')).toBe('the provider’s risk engine')
  expect(sourceText('oracle')).toBe('oracle')
  expect(sourceText(undefined)).toBe('an unnamed source')
})
