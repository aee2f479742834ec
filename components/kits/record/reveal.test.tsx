import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown } from './reveal'

const minute = 60_000
const start = new Date('2026-03-31T12:00:00Z')

beforeEach(() => vi.useFakeTimers({ now: start }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function renderCountdown() {
  const onEnd = vi.fn()
  render(<Countdown until={start.getTime() + minute} left={29} onEnd={onEnd} />)
  return onEnd
}

test('hides revealed values after a minute even if the clock is set back', () => {
  const onEnd = renderCountdown()
  vi.setSystemTime(start.getTime() - 60 * minute)
  act(() => vi.advanceTimersByTime(minute - 1))
  expect(onEnd).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(1))
  expect(onEnd).toHaveBeenCalledOnce()
})

test('hides revealed values within a second if the computer slept past the end', () => {
  const onEnd = renderCountdown()
  vi.setSystemTime(start.getTime() + 60 * minute)
  act(() => vi.advanceTimersByTime(1000))
  expect(onEnd).toHaveBeenCalled()
})
