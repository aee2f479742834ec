import { expect, test } from 'vitest'
import { customerStatuses, paykeyStatuses } from '@/lib/operations/enumerations'
import { getConnectNextStep, whyNotConnect } from './labels'

test.each(customerStatuses)('a customer that is %s can connect unless rejected or inactive', (status) => {
  expect(whyNotConnect(status) === null).toBe(status !== 'rejected' && status !== 'inactive')
})

test('an unknown customer status disallows a connection', () => {
  expect(whyNotConnect('asleep')).toContain('“asleep”')
  expect(whyNotConnect('constructor')).toContain('“constructor”')
})

test('only an active paykey leads directly to payments', () => {
  expect(paykeyStatuses.filter((status) => getConnectNextStep(status).next === 'pay')).toEqual(['active'])
  expect(getConnectNextStep('review')).toMatchObject({ next: 'decide', text: expect.stringContaining('on hold') })
  expect(getConnectNextStep('frozen')).toMatchObject({ next: 'look', title: 'Connected, and frozen' })
})
