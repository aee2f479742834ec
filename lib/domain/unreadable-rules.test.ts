import { expect, test } from 'vitest'
import * as z from 'zod'
import { getSchemas } from '@/lib/operations/registry'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { whyFieldsUnreadable } from './unreadable-rules'

const payout = { amount: '12500', currency: 'USD', status: 'on_hold' }
const createUnreadablePayout = (...fields: string[]) => ({
  ...payout,
  unreadable: fields.map((field) => ({ field, raw: '?' })),
})

test.each<[ServiceOperationId, object, string | null]>([
  ['payouts.release', payout, null],
  ['payouts.release', createUnreadablePayout('description'), null],
  [
    'payouts.release',
    createUnreadablePayout('amount'),
    'The amount could not be read, so this action is unavailable.',
  ],
  [
    'payouts.release',
    { ...payout, amount: '' },
    'The amount could not be read, so this action is unavailable.',
  ],
  [
    'charges.refund',
    { ...payout, currency: '', status: '' },
    'The currency and the status could not be read, so this action is unavailable.',
  ],
  ['payouts.hold', createUnreadablePayout('amount'), null],
  [
    'payouts.hold',
    createUnreadablePayout('status'),
    'The status could not be read, so this action is unavailable.',
  ],
  [
    'payouts.update',
    createUnreadablePayout('metadata.order'),
    'The metadata could not be read, so saving would overwrite the current value.',
  ],
  ['payouts.authorize', createUnreadablePayout('amount'), null],
  [
    'accounts.update',
    createUnreadablePayout('business_profile.address'),
    'The business profile could not be read, so saving would overwrite the current value.',
  ],
  ['accounts.update', createUnreadablePayout('settings.charges'), null],
])('%s on %j', (operation, object, why) => {
  expect(whyFieldsUnreadable(operation, object)).toBe(why)
})

test.each(serviceOperationIds.filter((id) => id.endsWith('.update')))(
  '%s requires every field that it sends',
  (id) => {
    const { properties = {} } = z.toJSONSchema(getSchemas(id).input, {
      io: 'input',
      unrepresentable: 'any',
    })
    const inputFields = Object.keys(properties).filter((name) => name !== 'id')
    expect(getServiceOperation(id).restsOn?.fields).toEqual(expect.arrayContaining(inputFields))
  },
)
