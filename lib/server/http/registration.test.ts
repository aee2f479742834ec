import { expect, test } from 'vitest'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { registerOperation, requireHooks, requireRegistrations } from './registration'

const emptyPrecondition = async () => null
const emptyEffect = async () => undefined

test('a write without its required hook is refused, and so is the start', () => {
  expect(() => requireHooks('payouts.release')).toThrow('payouts.release: no feature registered its before')
  const declaredHooks = serviceOperationIds.flatMap((id) =>
    (serviceOperation(id).hooks ?? []).map((hook) => `${id}: no feature registered its ${hook}`),
  )
  expect(declaredHooks.length).toBeGreaterThan(10)
  expect(() => requireRegistrations()).toThrow(declaredHooks.join('\n'))
})

test('an operation without hooks needs no registration', () => {
  expect(requireHooks('payouts.hold')).toEqual({})
})

test('the hooks of a definition are registered together, once, and for no other operation', () => {
  // @ts-expect-error: its definition names an effect as well
  const registerHalf = () => registerOperation('customers.delete', { before: emptyPrecondition })
  // @ts-expect-error: its definition names no effect
  const registerMore = () => registerOperation('payouts.release', { before: emptyPrecondition, after: emptyEffect })
  // @ts-expect-error: no feature takes part in it, as its definition says
  const registerOther = () => registerOperation('payouts.hold', { before: emptyPrecondition })
  expect([registerHalf, registerMore, registerOther]).toHaveLength(3)

  registerOperation('customers.delete', { before: emptyPrecondition, after: emptyEffect })
  expect(requireHooks('customers.delete')).toEqual({ before: emptyPrecondition, after: emptyEffect })
  expect(() => registerOperation('customers.delete', { before: emptyPrecondition, after: emptyEffect })).toThrow('registered twice')
})
