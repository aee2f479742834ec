import { describe, expect, test } from 'vitest'
import { defineDeskOperations, defineOperations, moneyRoles } from './define'
import { getServiceOperation, serviceOperationIds } from './service-operations'

const baseOperation = {
  method: 'PUT',
  path: '/things/:id',
  accountHeader: { saas: 'required', marketplace: 'required' },
  allow: moneyRoles,
  verbPhrase: 'change a thing',
} as const
const writeTexts = { done: 'Changed', requestNoun: 'change' } as const
const writeOperation = { ...baseOperation, ...writeTexts, invalidates: [] } as const
const moneyFields = { effect: 'money', money: 'out', stepUp: 'recent', amount: 'asked' } as const
const deskOperation = {
  method: 'POST',
  path: '/things',
  scope: 'platform',
  allow: moneyRoles,
  events: [],
  verbPhrase: 'pay',
} as const
const readOperation = {
  ...baseOperation,
  method: 'GET',
  effect: 'read',
  verbPhrase: 'read a thing',
} as const

describe('an operation that moves money or is irreversible', () => {
  test('does not compile without a reason', () => {
    // @ts-expect-error: money without a reason
    defineOperations({ 'things.pay': { ...writeOperation, ...moneyFields } })
    // @ts-expect-error: irreversible without a reason
    defineOperations({ 'things.cancel': { ...writeOperation, effect: 'irreversible' } })
    defineOperations({
      'things.name': { ...writeOperation, effect: 'write' },
      'things.pay': { ...writeOperation, ...moneyFields, reason: 'kept' },
    })
  })

  test('does not compile without a step-up, a direction and an amount if it moves money', () => {
    const { stepUp: _stepUp, ...withoutStepUp } = moneyFields
    const { money: _money, ...withoutWay } = moneyFields
    const { amount: _amount, ...withoutAmount } = moneyFields
    // @ts-expect-error: money without a step-up
    defineOperations({ 'things.pay': { ...writeOperation, ...withoutStepUp, reason: 'kept' } })
    // @ts-expect-error: money without a direction
    defineOperations({ 'things.pay': { ...writeOperation, ...withoutWay, reason: 'kept' } })
    // @ts-expect-error: money without an amount for the policy
    defineOperations({ 'things.pay': { ...writeOperation, ...withoutAmount, reason: 'kept' } })
    // @ts-expect-error: a connected bank account without a step-up
    defineOperations({ 'things.connect': { ...writeOperation, effect: 'money', money: 'route' } })
    defineOperations({
      'things.connect': { ...writeOperation, effect: 'money', money: 'route', stepUp: true },
    })
    // @ts-expect-error: a money operation of Paydesk without a step-up
    defineDeskOperations({ 'things.pay': { ...deskOperation, effect: 'money', invalidates: [] } })
    defineDeskOperations({
      'things.pay': { ...deskOperation, effect: 'money', invalidates: [], stepUp: true },
    })
  })

  const reasonRequiredOperations = serviceOperationIds.filter((id) => {
    const { effect, money } = getServiceOperation(id)
    return effect === 'irreversible' || (effect === 'money' && money !== 'route')
  })
  test.each(reasonRequiredOperations)('has a reason: %s', (id) =>
    expect(getServiceOperation(id).reason).toBeDefined(),
  )
})

describe('a definition does not compile without', () => {
  test('the source of the account if there is no account header', () => {
    const withoutHeader = {
      ...writeOperation,
      effect: 'write',
      accountHeader: 'forbidden',
    } as const
    const withHeader = { ...writeOperation, effect: 'write' } as const
    // @ts-expect-error: no source of the account
    defineOperations({ 'things.name': withoutHeader })
    // @ts-expect-error: the header has the account
    defineOperations({ 'things.name': { ...withHeader, accountFrom: 'path' } })
    defineOperations({ 'things.name': { ...withoutHeader, accountFrom: 'path' } })
  })

  test('the created kind of a POST', () => {
    // @ts-expect-error: a POST without `creates`
    defineOperations({ 'things.create': { ...writeOperation, method: 'POST', effect: 'write' } })
    defineOperations({
      // @ts-expect-error: a PUT creates nothing
      'things.name': { ...writeOperation, effect: 'write', creates: 'customers' },
    })
    defineOperations({
      'things.create': { ...writeOperation, method: 'POST', effect: 'write', creates: null },
    })
  })

  test('the text of a successful write', () => {
    // @ts-expect-error: a write without `done`
    defineOperations({ 'things.name': { ...baseOperation, effect: 'write', invalidates: [] } })
    // @ts-expect-error: a read with `done`
    defineOperations({ 'things.get': { ...readOperation, done: 'Read' } })
  })

  test('the reads that a write invalidates', () => {
    // @ts-expect-error: a write without `invalidates`
    defineOperations({ 'things.name': { ...baseOperation, effect: 'write', ...writeTexts } })
    // @ts-expect-error: a read makes nothing stale
    defineOperations({ 'things.get': { ...readOperation, invalidates: [] } })
    defineOperations({
      'things.name': { ...writeOperation, effect: 'write', invalidates: ['customers'] },
    })
  })
})

const updateOperations = serviceOperationIds.filter((id) => id.endsWith('.update'))
test.each(updateOperations)('%s changes existing data, so it requires a reason', (id) =>
  expect(getServiceOperation(id).reason).toBe('kept'),
)

test.each(['linked_bank_accounts.create', 'linked_bank_accounts.update'] as const)(
  '%s directs money, so its effect is money',
  (id) => expect(getServiceOperation(id).effect).toBe('money'),
)
