import { expect, test } from 'vitest'
import { customerStatuses, paykeyStatuses } from '@/lib/operations/enumerations'
import { getConnectNextStep, whyNotConnectBankAccount } from './labels'

test.each(customerStatuses)(
  'a customer that is %s can connect unless rejected or inactive',
  (status) => {
    expect(whyNotConnectBankAccount(status) === null).toBe(
      status !== 'rejected' && status !== 'inactive',
    )
  },
)

test('an unknown customer status disallows a connection', () => {
  expect(whyNotConnectBankAccount('asleep')).toContain('“asleep”')
  expect(whyNotConnectBankAccount('constructor')).toContain('“constructor”')
  expect(whyNotConnectBankAccount('')).toBe(
    'The status could not be read, so this action is unavailable.',
  )
})

test('only an active paykey leads directly to payments', () => {
  expect(paykeyStatuses.filter((status) => getConnectNextStep(status).next === 'pay')).toEqual([
    'active',
  ])
  expect(getConnectNextStep('review')).toMatchObject({
    next: 'decide',
    text: expect.stringContaining('on hold'),
  })
  expect(getConnectNextStep('frozen')).toMatchObject({
    next: 'look',
    title: 'Connected, and frozen',
  })
})
