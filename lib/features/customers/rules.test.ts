import { describe, expect, test } from 'vitest'
import { customerStatuses } from '@/lib/operations/enumerations'
import { type CustomerAction, isDecidedBy, whyNotCustomer } from './rules'

/** The states in which each action is allowed, copied from the service's own table of transitions. */
const open: Record<CustomerAction, string> = {
  verify: 'review',
  reject: 'review',
  refresh_review: 'review verified rejected',
  edit: 'pending review verified rejected inactive',
  deactivate: 'pending review verified rejected',
  reactivate: 'inactive',
}

describe.each(Object.keys(open) as CustomerAction[])('%s', (action) => {
  test.each(customerStatuses)('is allowed at %s only if listed', (status) => {
    expect(whyNotCustomer(action, { status }) === null).toBe(open[action].split(' ').includes(status))
  })
})

test('the reason names the status and the required one', () => {
  expect(whyNotCustomer('verify', { status: 'rejected' })).toBe(
    'The customer is rejected: only one that is in review can be manually verified.',
  )
})

test('an unknown status allows no action and is quoted', () => {
  for (const action of Object.keys(open) as CustomerAction[]) expect(whyNotCustomer(action, { status: 'paused' })).toContain('“paused”')
})

test('every status change is a decision, except between verified and inactive', () => {
  const free = customerStatuses.flatMap((from) => customerStatuses.filter((to) => !isDecidedBy(from, to)).map((to) => `${from} ${to}`))
  expect(free.sort()).toEqual([
    'inactive inactive',
    'inactive verified',
    'pending pending',
    'rejected rejected',
    'review review',
    'verified inactive',
    'verified verified',
  ])
})
