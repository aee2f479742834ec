import { expect, test } from 'vitest'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { hooksOf, registerOperation, requireRegistrations } from './registration'

const none = async () => null
const nothing = async () => undefined

test('a write without its required hook is refused, and so is the start', () => {
  expect(() => hooksOf('payouts.release')).toThrow('payouts.release: no feature registered its before')
  const promised = serviceOperationIds.flatMap((id) =>
    (serviceOperation(id).hooks ?? []).map((hook) => `${id}: no feature registered its ${hook}`),
  )
  expect(promised.length).toBeGreaterThan(10)
  expect(() => requireRegistrations()).toThrow(promised.join('\n'))
})

test('an operation without hooks needs no registration', () => {
  expect(hooksOf('payouts.hold')).toEqual({})
})

test('the hooks of a definition are registered together, once, and for no other operation', () => {
  // @ts-expect-error: its definition names an effect as well
  const half = () => registerOperation('customers.delete', { before: none })
  // @ts-expect-error: its definition names no effect
  const more = () => registerOperation('payouts.release', { before: none, after: nothing })
  // @ts-expect-error: no feature takes part in it, as its definition says
  const other = () => registerOperation('payouts.hold', { before: none })
  expect([half, more, other]).toHaveLength(3)

  registerOperation('customers.delete', { before: none, after: nothing })
  expect(hooksOf('customers.delete')).toEqual({ before: none, after: nothing })
  expect(() => registerOperation('customers.delete', { before: none, after: nothing })).toThrow('registered twice')
})
