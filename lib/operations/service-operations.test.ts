import { describe, expect, test } from 'vitest'
import { canMoveMoney, defineDeskOperations, defineOperations } from './define'
import { serviceOperation, serviceOperationIds } from './service-operations'

const row = { method: 'PUT', path: '/things/:id', scope: 'required', allow: canMoveMoney, verbPhrase: 'change a thing' } as const
const written = { ...row, done: 'Changed', invalidates: [] } as const
const moves = { effect: 'money', money: 'out', stepUp: 'recent', amount: 'asked' } as const
const ofDesk = { method: 'POST', path: '/things', scope: 'platform', allow: canMoveMoney, events: [], verbPhrase: 'pay' } as const
const read = { ...row, method: 'GET', effect: 'read', verbPhrase: 'read a thing' } as const

describe('an operation that moves money or is irreversible', () => {
  test('does not compile without a reason', () => {
    // @ts-expect-error: money without a reason
    defineOperations({ 'things.pay': { ...written, ...moves } })
    // @ts-expect-error: irreversible without a reason
    defineOperations({ 'things.cancel': { ...written, effect: 'irreversible' } })
    defineOperations({ 'things.name': { ...written, effect: 'write' }, 'things.pay': { ...written, ...moves, reason: 'kept' } })
  })

  test('does not compile without a step-up, a direction and an amount if it moves money', () => {
    const { stepUp: _stepUp, ...withoutStepUp } = moves
    const { money: _money, ...withoutWay } = moves
    const { amount: _amount, ...withoutAmount } = moves
    // @ts-expect-error: money without a step-up
    defineOperations({ 'things.pay': { ...written, ...withoutStepUp, reason: 'kept' } })
    // @ts-expect-error: money without a direction
    defineOperations({ 'things.pay': { ...written, ...withoutWay, reason: 'kept' } })
    // @ts-expect-error: money without an amount for the policy
    defineOperations({ 'things.pay': { ...written, ...withoutAmount, reason: 'kept' } })
    // @ts-expect-error: a connected bank account without a step-up
    defineOperations({ 'things.connect': { ...written, effect: 'money', money: 'route' } })
    defineOperations({ 'things.connect': { ...written, effect: 'money', money: 'route', stepUp: true } })
    // @ts-expect-error: a money operation of Paydesk without a step-up
    defineDeskOperations({ 'things.pay': { ...ofDesk, effect: 'money', invalidates: [] } })
    defineDeskOperations({ 'things.pay': { ...ofDesk, effect: 'money', invalidates: [], stepUp: true } })
  })

  const grave = serviceOperationIds.filter((id) => {
    const { effect, money } = serviceOperation(id)
    return effect === 'irreversible' || (effect === 'money' && money !== 'route')
  })
  test.each(grave)('has a reason: %s', (id) => expect(serviceOperation(id).reason).toBeDefined())
})

describe('a definition does not compile without', () => {
  test('the source of the account if there is no account header', () => {
    // @ts-expect-error: no source of the account
    defineOperations({ 'things.name': { ...written, effect: 'write', scope: 'forbidden' } })
    // @ts-expect-error: the header has the account
    defineOperations({ 'things.name': { ...written, effect: 'write', scope: 'required', accountFrom: 'path' } })
    defineOperations({ 'things.name': { ...written, effect: 'write', scope: 'forbidden', accountFrom: 'path' } })
  })

  test('the created kind of a POST', () => {
    // @ts-expect-error: a POST without `creates`
    defineOperations({ 'things.create': { ...written, method: 'POST', effect: 'write' } })
    // @ts-expect-error: a PUT creates nothing
    defineOperations({ 'things.name': { ...written, effect: 'write', creates: 'customers' } })
    defineOperations({ 'things.create': { ...written, method: 'POST', effect: 'write', creates: null } })
  })

  test('the text of a successful write', () => {
    // @ts-expect-error: a write without `done`
    defineOperations({ 'things.name': { ...row, effect: 'write', invalidates: [] } })
    // @ts-expect-error: a read with `done`
    defineOperations({ 'things.get': { ...read, done: 'Read' } })
  })

  test('the reads that a write invalidates', () => {
    // @ts-expect-error: a write without `invalidates`
    defineOperations({ 'things.name': { ...row, effect: 'write', done: 'Changed' } })
    // @ts-expect-error: a read makes nothing stale
    defineOperations({ 'things.get': { ...read, invalidates: [] } })
    defineOperations({ 'things.name': { ...written, effect: 'write', invalidates: ['customers'] } })
  })
})

const changes = serviceOperationIds.filter((id) => id.endsWith('.update'))
test.each(changes)('%s changes existing data, so it requires a reason', (id) => expect(serviceOperation(id).reason).toBe('kept'))

test.each(['linked_bank_accounts.create', 'linked_bank_accounts.update'] as const)('%s directs money, so its effect is money', (id) =>
  expect(serviceOperation(id).effect).toBe('money'),
)
