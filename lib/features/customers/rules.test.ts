import { describe, expect, test } from 'vitest'
import { customerStatuses } from '@/lib/operations/enumerations'
import { type CustomerAction, isStatusDecision, whyNotCustomerAction } from './rules'

/**
 * The statuses in which each action is allowed, copied from the service's own table of transitions.
 */
const statusesByAction: Record<CustomerAction, string> = {
  verify: 'review',
  reject: 'review',
  refresh_review: 'review verified rejected',
  edit: 'pending review verified rejected inactive',
  deactivate: 'pending review verified rejected',
  reactivate: 'inactive',
}

describe.each(Object.keys(statusesByAction) as CustomerAction[])('%s', (action) => {
  test.each(customerStatuses)('is allowed at %s only if listed', (status) => {
    expect(whyNotCustomerAction(action, { status }) === null).toBe(
      statusesByAction[action].split(' ').includes(status),
    )
  })
})

test('the reason names the status and the required one', () => {
  expect(whyNotCustomerAction('verify', { status: 'rejected' })).toBe(
    'The customer is rejected: only one that is in review can be manually verified.',
  )
})

test('an unknown status allows no action and is quoted', () => {
  for (const action of Object.keys(statusesByAction) as CustomerAction[])
    expect(whyNotCustomerAction(action, { status: 'paused' })).toContain('“paused”')
})

test('every status change is a decision, except between verified and inactive', () => {
  const nonDecisionChanges = customerStatuses.flatMap((from) =>
    customerStatuses.filter((to) => !isStatusDecision(from, to)).map((to) => `${from} ${to}`),
  )
  expect(nonDecisionChanges.sort()).toEqual([
    'inactive inactive',
    'inactive verified',
    'pending pending',
    'rejected rejected',
    'review review',
    'verified inactive',
    'verified verified',
  ])
})
