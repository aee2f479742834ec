import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearQueries } from '@/lib/client/query/client'
import { QueryProvider } from '@/lib/client/query/provider'
import type { SessionTimeLeft } from '@/lib/operations/profile'
import { type SessionEndWarning, useSessionEnd } from './session-end'

beforeEach(() => {
  vi.useFakeTimers()
  clearQueries()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const secondsPerHour = 3600

function SessionEndProbe() {
  const { ending, refetch } = useSessionEnd('sandbox')
  return (
    <button type="button" onClick={() => void refetch()}>
      {JSON.stringify(ending)}
    </button>
  )
}

function renderProbe(readTimeLeft: () => SessionTimeLeft) {
  const fetchSpy = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () =>
      Response.json({ data: readTimeLeft(), meta: { request_id: 'r' } }),
    )
  const { unmount } = render(
    <QueryProvider person="p">
      <SessionEndProbe />
    </QueryProvider>,
  )
  return {
    unmount,
    asked: () => fetchSpy.mock.calls.length,
    now: () => JSON.parse(screen.getByRole('button').textContent) as SessionEndWarning | null,
    minutes: (minuteCount: number) => act(() => vi.advanceTimersByTimeAsync(minuteCount * 60_000)),
  }
}

/**
 * Renders a page whose session uses the mocked clock. The session ends after 15 minutes without
 * activity, and in any case when its maximum length is reached.
 */
function startSession(maxSessionSeconds = 8 * secondsPerHour) {
  const startedAt = Date.now()
  let lastActiveAt = startedAt
  const countSecondsSince = (at: number) => Math.floor((Date.now() - at) / 1000)
  const renderedProbe = renderProbe(() => ({
    idle_in: 900 - countSecondsSince(lastActiveAt),
    ends_in: maxSessionSeconds - countSecondsSince(startedAt),
  }))
  return {
    ...renderedProbe,
    act: () => {
      lastActiveAt = Date.now()
    },
  }
}

test('warns after thirteen idle minutes, with the time of the end', async () => {
  const session = startSession()
  const expectedEndsAt = Date.now() + 15 * 60_000
  await session.minutes(12.9)
  expect([session.now(), session.asked()]).toEqual([null, 1])
  await session.minutes(0.2)
  expect(session.now()).toEqual({ at: expectedEndsAt, canStay: true })
})

test('an extended session has no warning until it is idle for thirteen minutes again', async () => {
  const session = startSession()
  await session.minutes(13.5)
  expect(session.now()?.canStay).toBe(true)
  session.act()
  await session.minutes(0.5)
  expect(session.now()).toBeNull()
  await session.minutes(12)
  expect(session.now()).toBeNull()
  await session.minutes(0.8)
  expect(session.now()?.canStay).toBe(true)
})

test('warns before the maximum session length and offers no extension', async () => {
  const session = startSession(20 * 60)
  await session.minutes(10)
  session.act()
  await session.minutes(8.1)
  expect(session.now()?.canStay).toBe(false)
})

test('a failed read shows no warning, and reads stop after unmount', async () => {
  let shouldFail = true
  const { now, asked, minutes, unmount } = renderProbe(() => {
    if (shouldFail) throw new Error('no answer')
    return { idle_in: 60, ends_in: 60 }
  })
  await minutes(1)
  expect(now()).toBeNull()
  shouldFail = false
  await minutes(1.1)
  expect(now()).not.toBeNull()
  const requestCountBefore = asked()
  unmount()
  await minutes(10)
  expect(asked()).toBe(requestCountBefore)
})
