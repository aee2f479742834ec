import { expect, test } from 'vitest'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { registerOperation, requireHooks, requireRegistrations } from './registration'

const emptyPrecondition = async () => null
const emptyAfterHook = async () => undefined

test('a write without its required hook is refused, and so is the start', () => {
  expect(() => requireHooks('payouts.release')).toThrow(
    'payouts.release: no feature registered its before',
  )
  const missingHookLines = serviceOperationIds.flatMap((id) =>
    (getServiceOperation(id).hooks ?? []).map((hook) => `${id}: no feature registered its ${hook}`),
  )
  expect(missingHookLines.length).toBeGreaterThan(10)
  expect(() => requireRegistrations()).toThrow(missingHookLines.join('\n'))
})

test('an operation without hooks needs no registration', () => {
  expect(requireHooks('payouts.hold')).toEqual({})
})

test('the hooks of a definition are registered together, once, and for no other operation', () => {
  const registerOnlyPrecondition = () =>
    // @ts-expect-error: the definition of this operation declares an `after` hook too
    registerOperation('customers.delete', { before: emptyPrecondition })
  const registerUndeclaredAfterHook = () =>
    // @ts-expect-error: the definition of this operation declares no `after` hook
    registerOperation('payouts.release', { before: emptyPrecondition, after: emptyAfterHook })
  const registerUndeclaredPrecondition = () =>
    // @ts-expect-error: the definition of this operation declares no hooks
    registerOperation('payouts.hold', { before: emptyPrecondition })
  expect([
    registerOnlyPrecondition,
    registerUndeclaredAfterHook,
    registerUndeclaredPrecondition,
  ]).toHaveLength(3)

  registerOperation('customers.delete', { before: emptyPrecondition, after: emptyAfterHook })
  expect(requireHooks('customers.delete')).toEqual({
    before: emptyPrecondition,
    after: emptyAfterHook,
  })
  expect(() =>
    registerOperation('customers.delete', { before: emptyPrecondition, after: emptyAfterHook }),
  ).toThrow('registered twice')
})
