import { describe, expect, test } from 'vitest'
import { identityDetailsSchema } from './customer-review-schema'
import type { Customer } from './customer-schema'
import { findingNamesByType, verifyIdentity } from './verify-identity'

const reviewId = '0198a000-0000-7000-8000-000000000001'
const verifiedAt = Date.UTC(2030, 0, 15)

const makeCustomer = (type: Customer['type'], isComplete = true): Customer => ({
  ...{
    id: '0198a000-0000-7000-8000-0000deadbeef',
    name: 'Amara Okafor',
    type,
    email: 'amara@example.org',
    phone: '+15125550123',
  },
  ...{
    external_id: null,
    status: 'review',
    created_at: '2030-01-15T00:00:00.000Z',
    updated_at: '2030-01-15T00:00:00.000Z',
  },
  address: isComplete
    ? { address1: '12 King Street', address2: null, city: 'Austin', state: 'TX', zip: '78701' }
    : null,
  compliance_profile: isComplete ? { ssn: '***-**-****', dob: '****-**-**' } : null,
  device: { ip_address: '**.**.**.**' },
  metadata: {},
  config: { sandbox_outcome: 'review', processing_method: 'inline' },
})

const makeCleanIdentity = (type: Customer['type']) =>
  verifyIdentity(makeCustomer(type), 'pass', reviewId, verifiedAt)

describe.each(['individual', 'business'] as const)(
  'the verification of a customer that is %s',
  (type) => {
    test('finds nothing if it passes, and runs only the checks of its type', () => {
      const details = identityDetailsSchema.parse(makeCleanIdentity(type))
      expect(details.decision).toBe('accept')
      expect(
        Object.values(details.breakdown).every(
          (check) => check === null || check.decision === 'accept',
        ),
      ).toBe(true)
      expect(details.breakdown.synthetic === null).toBe(type === 'business')
      expect(details.breakdown.business_evaluation === null).toBe(type === 'individual')
    })

    test.each(findingNamesByType[type])(
      'with %s has findings, which are the same each time',
      (found) => {
        for (const [end, decision] of [['flag', 'review'] as const, ['fail', 'reject'] as const]) {
          const details = identityDetailsSchema.parse(
            verifyIdentity(makeCustomer(type), end, reviewId, verifiedAt, found),
          )
          expect(details.decision).toBe(decision)
          expect(
            JSON.stringify({ ...details, decision: null }).split(`"decision":"${decision}"`).length,
          ).toBeGreaterThan(1)
          expect(details).not.toEqual(makeCleanIdentity(type))
          expect(verifyIdentity(makeCustomer(type), end, reviewId, verifiedAt, found)).toEqual(
            details,
          )
        }
      },
    )
  },
)

test('the verification does not confirm data that was not given', () => {
  const { breakdown, kyc } = verifyIdentity(
    makeCustomer('individual', false),
    'pass',
    reviewId,
    verifiedAt,
  )
  expect(breakdown.address).toBeNull()
  expect(kyc.validations).toMatchObject({
    first_name: true,
    address: false,
    zip: false,
    dob: false,
    ssn: false,
  })
})

test('a bad reputation has consistent counters', () => {
  const { insights } = verifyIdentity(
    makeCustomer('individual'),
    'flag',
    reviewId,
    verifiedAt,
    'reputation',
  ).reputation
  expect(insights.accounts_count).toBe(
    (insights.accounts_active_count ?? 0) + (insights.accounts_closed_count ?? 0),
  )
  expect(insights.applications_dates).toHaveLength(insights.applications_count ?? 0)
  expect(insights.ach_returned_transactions_dates).toHaveLength(
    insights.ach_returned_transactions_count ?? 0,
  )
  expect(Object.keys(insights)).toHaveLength(33)
})
