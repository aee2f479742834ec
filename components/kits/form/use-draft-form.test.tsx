import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useDraftForm } from './use-draft-form'

afterEach(cleanup)

test('starting over creates a new key and keeps the entries except secrets', () => {
  const { result } = renderHook(() =>
    useDraftForm('bridge.bank_account/new', {
      values: { routing_number: '', account_number: '' },
      resolver: async (values) => ({ values, errors: {} }),
      secret: ['account_number'],
    }),
  )
  const { key } = result.current
  act(() => {
    result.current.form.setValue('routing_number', '021000021')
    result.current.form.setValue('account_number', '000123456789')
  })
  act(() => result.current.startOver())
  expect(result.current.typed).toEqual({ routing_number: '021000021', account_number: '' })
  expect(result.current.key).not.toBe(key)
})
