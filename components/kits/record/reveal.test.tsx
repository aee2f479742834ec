import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown } from './reveal'

const minuteMs = 60_000
const startTime = new Date('2026-03-31T12:00:00Z')

beforeEach(() => vi.useFakeTimers({ now: startTime }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function renderCountdown() {
  const onEnd = vi.fn()
  render(<Countdown until={startTime.getTime() + minuteMs} left={29} onEnd={onEnd} />)
  return onEnd
}

test('hides revealed values after a minute even if the clock is set back', () => {
  const onEndSpy = renderCountdown()
  vi.setSystemTime(startTime.getTime() - 60 * minuteMs)
  act(() => vi.advanceTimersByTime(minuteMs - 1))
  expect(onEndSpy).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(1))
  expect(onEndSpy).toHaveBeenCalledOnce()
})

test('hides revealed values within a second if the computer slept past the end', () => {
  const onEnd = renderCountdown()
  vi.setSystemTime(startTime.getTime() + 60 * minuteMs)
  act(() => vi.advanceTimersByTime(1000))
  expect(onEnd).toHaveBeenCalled()
})
