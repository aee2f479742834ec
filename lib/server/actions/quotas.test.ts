import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runInSlot } from './quotas'

const never = new AbortController().signal
const ends: (() => void)[] = []

/** Starts an upload by a person that runs until `end` is called. `in` is true once it is admitted, and `done` resolves to the outcome. */
function upload(person: string, signal = never) {
  const state = { in: false, end: () => undefined as undefined, done: Promise.resolve() as Promise<unknown> }
  state.done = runInSlot(person, signal, () => {
    state.in = true
    return new Promise<void>((resolve) => {
      state.end = () => void resolve()
      ends.push(() => resolve())
    })
  }).catch((error: unknown) => error)
  return state
}

const flushPromises = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  for (const end of ends.splice(0)) end()
  await flushPromises()
  vi.useRealTimers()
})

test('a person has two upload slots, and further uploads wait without blocking other people', async () => {
  const ownUploads = Array.from({ length: 5 }, () => upload('a'))
  const other = upload('b')
  await flushPromises()
  expect(ownUploads.map((each) => each.in)).toEqual([true, true, false, false, false])
  expect(other.in).toBe(true)
  ownUploads[1]?.end()
  await flushPromises()
  expect(ownUploads.map((each) => each.in)).toEqual([true, true, true, false, false])
})

test('an upload that waits too long is refused, with its reason and a retry time', async () => {
  const [, , third] = [upload('a'), upload('a'), upload('a')]
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await third?.done).toMatchObject({ code: 'too_many', retryAfter: 10, items: [{ reference: 'File' }] })
})

test('an upload beyond the waiting limit is refused at once', async () => {
  const ownUploads = Array.from({ length: 9 }, () => upload('a'))
  expect(await ownUploads[8]?.done).toMatchObject({ code: 'too_many' })
})

test('if all slots are taken, the next upload takes the first free one', async () => {
  const people = Array.from({ length: 12 }, (_, number) => upload(`p${number}`))
  const [firstWaiting, secondWaiting] = [upload('late'), upload('later')]
  await flushPromises()
  expect([firstWaiting.in, secondWaiting.in]).toEqual([false, false])
  people[5]?.end()
  await flushPromises()
  expect([firstWaiting.in, secondWaiting.in]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await secondWaiting.done).toMatchObject({ code: 'unavailable', retryAfter: 10 })
})

test('an upload aborted while waiting takes no slot', async () => {
  const going = new AbortController()
  const [first] = [upload('a'), upload('a')]
  const third = upload('a', going.signal)
  const fourth = upload('a')
  going.abort()
  await third.done
  first?.end()
  await flushPromises()
  expect([third.in, fourth.in]).toEqual([false, true])
})
