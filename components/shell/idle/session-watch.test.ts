import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionLeft } from '@/lib/operations/profile'
import { type Ending, watchSession } from './session-watch'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const hours = 3600

/** A session on the mocked clock. It ends after 15 minutes without activity, and always after `life`. */
function sessionOf(life = 8 * hours) {
  const began = Date.now()
  let last = began
  let readCount = 0
  const endings: (Ending | null)[] = []
  const since = (at: number) => Math.floor((Date.now() - at) / 1000)
  const read = async (): Promise<SessionLeft> => {
    readCount += 1
    return { idle_in: 900 - since(last), ends_in: life - since(began) }
  }
  const watch = watchSession(read, (ending) => endings.push(ending))
  return {
    ...watch,
    act: () => {
      last = Date.now()
    },
    now: () => endings.at(-1) ?? null,
    asked: () => readCount,
    minutes: (many: number) => vi.advanceTimersByTimeAsync(many * 60_000),
  }
}

test('nothing is told for thirteen minutes, and then when it ends', async () => {
  const session = sessionOf()
  const end = Date.now() + 15 * 60_000
  await session.minutes(12.9)
  expect([session.now(), session.asked()]).toEqual([null, 1])
  await session.minutes(0.2)
  expect(session.now()).toEqual({ at: end, canStay: true })
  session.stop()
})

test('what was done elsewhere meanwhile takes it back and moves the end', async () => {
  const session = sessionOf()
  await session.minutes(13.5)
  expect(session.now()?.canStay).toBe(true)
  session.act()
  await session.minutes(0.5)
  expect(session.now()).toBeNull()
  await session.minutes(12)
  expect(session.now()).toBeNull()
  await session.minutes(0.8)
  expect(session.now()?.canStay).toBe(true)
  session.stop()
})

test('the end of a whole session is told too, and cannot be moved', async () => {
  const session = sessionOf(20 * 60)
  await session.minutes(10)
  session.act()
  await session.minutes(8.1)
  expect(session.now()?.canStay).toBe(false)
  session.stop()
})

test('a failure is no end, and who stopped is told nothing', async () => {
  const endings: unknown[] = []
  let fails = true
  const { stop, look } = watchSession(
    async () => {
      if (fails) throw new Error('no answer')
      return { idle_in: 60, ends_in: 60 }
    },
    (ending) => endings.push(ending),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(endings).toEqual([])
  fails = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(endings).toHaveLength(1)
  stop()
  look()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(endings).toHaveLength(1)
})
