import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RefreshButton } from './refresh-button'

afterEach(cleanup)

test('several presses during a refresh add one more refresh', () => {
  const onRefresh = vi.fn()
  const button = (reading: boolean) => <RefreshButton reading={reading} onRefresh={onRefresh} />
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  const { rerender } = render(button(false))
  press()
  expect(onRefresh).toHaveBeenCalledTimes(1)
  rerender(button(true))
  press()
  press()
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true')
  expect(onRefresh).toHaveBeenCalledTimes(1)
  rerender(button(false))
  expect(onRefresh).toHaveBeenCalledTimes(2)
  rerender(button(true))
  rerender(button(false))
  expect(onRefresh).toHaveBeenCalledTimes(2)
})
