import { describe, expect, test } from 'vitest'
import { defineDeskOperations, defineOperations, moneyRoles } from './define'
import { serviceOperation, serviceOperationIds } from './service-operations'

const row = { method: 'PUT', path: '/things/:id', scope: 'required', allow: moneyRoles, verbPhrase: 'change a thing' } as const
const writeRow = { ...row, done: 'Changed', invalidates: [] } as const
const moneyFields = { effect: 'money', money: 'out', stepUp: 'recent', amount: 'asked' } as const
const deskRow = { method: 'POST', path: '/things', scope: 'platform', allow: moneyRoles, events: [], verbPhrase: 'pay' } as const
const readRow = { ...row, method: 'GET', effect: 'read', verbPhrase: 'read a thing' } as const

describe('an operation that moves money or is irreversible', () => {
  test('does not compile without a reason', () => {
    // @ts-expect-error: money without a reason
    defineOperations({ 'things.pay': { ...writeRow, ...moneyFields } })
    // @ts-expect-error: irreversible without a reason
    defineOperations({ 'things.cancel': { ...writeRow, effect: 'irreversible' } })
    defineOperations({ 'things.name': { ...writeRow, effect: 'write' }, 'things.pay': { ...writeRow, ...moneyFields, reason: 'kept' } })
  })

  test('does not compile without a step-up, a direction and an amount if it moves money', () => {
    const { stepUp: _stepUp, ...withoutStepUp } = moneyFields
    const { money: _money, ...withoutWay } = moneyFields
    const { amount: _amount, ...withoutAmount } = moneyFields
    // @ts-expect-error: money without a step-up
    defineOperations({ 'things.pay': { ...writeRow, ...withoutStepUp, reason: 'kept' } })
    // @ts-expect-error: money without a direction
    defineOperations({ 'things.pay': { ...writeRow, ...withoutWay, reason: 'kept' } })
    // @ts-expect-error: money without an amount for the policy
    defineOperations({ 'things.pay': { ...writeRow, ...withoutAmount, reason: 'kept' } })
    // @ts-expect-error: a connected bank account without a step-up
    defineOperations({ 'things.connect': { ...writeRow, effect: 'money', money: 'route' } })
    defineOperations({ 'things.connect': { ...writeRow, effect: 'money', money: 'route', stepUp: true } })
    // @ts-expect-error: a money operation of Paydesk without a step-up
    defineDeskOperations({ 'things.pay': { ...deskRow, effect: 'money', invalidates: [] } })
    defineDeskOperations({ 'things.pay': { ...deskRow, effect: 'money', invalidates: [], stepUp: true } })
  })

  const riskyOperations = serviceOperationIds.filter((id) => {
    const { effect, money } = serviceOperation(id)
    return effect === 'irreversible' || (effect === 'money' && money !== 'route')
  })
  test.each(riskyOperations)('has a reason: %s', (id) => expect(serviceOperation(id).reason).toBeDefined())
})

describe('a definition does not compile without', () => {
  test('the source of the account if there is no account header', () => {
    // @ts-expect-error: no source of the account
    defineOperations({ 'things.name': { ...writeRow, effect: 'write', scope: 'forbidden' } })
    // @ts-expect-error: the header has the account
    defineOperations({ 'things.name': { ...writeRow, effect: 'write', scope: 'required', accountFrom: 'path' } })
    defineOperations({ 'things.name': { ...writeRow, effect: 'write', scope: 'forbidden', accountFrom: 'path' } })
  })

  test('the created kind of a POST', () => {
    // @ts-expect-error: a POST without `creates`
    defineOperations({ 'things.create': { ...writeRow, method: 'POST', effect: 'write' } })
    // @ts-expect-error: a PUT creates nothing
    defineOperations({ 'things.name': { ...writeRow, effect: 'write', creates: 'customers' } })
    defineOperations({ 'things.create': { ...writeRow, method: 'POST', effect: 'write', creates: null } })
  })

  test('the text of a successful write', () => {
    // @ts-expect-error: a write without `done`
    defineOperations({ 'things.name': { ...row, effect: 'write', invalidates: [] } })
    // @ts-expect-error: a read with `done`
    defineOperations({ 'things.get': { ...readRow, done: 'Read' } })
  })

  test('the reads that a write invalidates', () => {
    // @ts-expect-error: a write without `invalidates`
    defineOperations({ 'things.name': { ...row, effect: 'write', done: 'Changed' } })
    // @ts-expect-error: a read makes nothing stale
    defineOperations({ 'things.get': { ...readRow, invalidates: [] } })
    defineOperations({ 'things.name': { ...writeRow, effect: 'write', invalidates: ['customers'] } })
  })
})

const updateOperations = serviceOperationIds.filter((id) => id.endsWith('.update'))
test.each(updateOperations)('%s changes existing data, so it requires a reason', (id) => expect(serviceOperation(id).reason).toBe('kept'))

test.each(['linked_bank_accounts.create', 'linked_bank_accounts.update'] as const)('%s directs money, so its effect is money', (id) =>
  expect(serviceOperation(id).effect).toBe('money'),
)
