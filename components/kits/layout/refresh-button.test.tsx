import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RefreshButton } from './refresh-button'

afterEach(cleanup)

test('several presses during a refresh add one more refresh', () => {
  const onRefresh = vi.fn()
  const renderButton = (reading: boolean) => (
    <RefreshButton reading={reading} onRefresh={onRefresh} />
  )
  const pressButton = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  const { rerender } = render(renderButton(false))
  pressButton()
  expect(onRefresh).toHaveBeenCalledTimes(1)
  rerender(renderButton(true))
  pressButton()
  pressButton()
  expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('true')
  expect(onRefresh).toHaveBeenCalledTimes(1)
  rerender(renderButton(false))
  expect(onRefresh).toHaveBeenCalledTimes(2)
  rerender(renderButton(true))
  rerender(renderButton(false))
  expect(onRefresh).toHaveBeenCalledTimes(2)
})
