import { describe, expect, test } from 'vitest'
import { defineOperations, movers } from './define'
import { operationIds, rowOf } from './rows'

const row = { method: 'PUT', path: '/things/:id', scope: 'required', allow: movers, does: 'change a thing' } as const

describe('what moves money or cannot be taken back has a reason', () => {
  test('a row without one does not compile', () => {
    // @ts-expect-error: money without a reason
    defineOperations({ 'things.pay': { ...row, effect: 'money' } })
    // @ts-expect-error: without a reason and without a way back
    defineOperations({ 'things.cancel': { ...row, effect: 'irreversible' } })
    defineOperations({ 'things.name': { ...row, effect: 'write' }, 'things.pay': { ...row, effect: 'money', reason: 'kept' } })
  })

  const grave = operationIds.filter((id) => ['money', 'irreversible'].includes(rowOf(id).effect))
  test.each(grave)('%s', (id) => expect(rowOf(id).reason).toBeDefined())
})

const changes = operationIds.filter((id) => id.endsWith('.update'))
test.each(changes)('%s is a change of what somebody else wrote, so it says why', (id) => expect(rowOf(id).reason).toBe('kept'))

test.each(['linked_bank_accounts.create', 'linked_bank_accounts.update'] as const)('%s says where money goes: it is money', (id) =>
  expect(rowOf(id).effect).toBe('money'),
)
