import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runInUploadSlot } from './quotas'

const neverAborted = new AbortController().signal
const endCallbacks: (() => void)[] = []

/**
 * Starts a person's upload that runs until `end` is called. `in` is true once it has a slot. `done`
 * resolves to the result or error.
 */
function startUpload(person: string, signal = neverAborted) {
  const uploadState = {
    in: false,
    end: () => undefined as undefined,
    done: Promise.resolve() as Promise<unknown>,
  }
  uploadState.done = runInUploadSlot(person, signal, () => {
    uploadState.in = true
    return new Promise<void>((resolve) => {
      uploadState.end = () => void resolve()
      endCallbacks.push(() => resolve())
    })
  }).catch((error: unknown) => error)
  return uploadState
}

const flushPromises = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  for (const end of endCallbacks.splice(0)) end()
  await flushPromises()
  vi.useRealTimers()
})

test('a person has two upload slots, and further uploads wait without blocking other people', async () => {
  const ownUploads = Array.from({ length: 5 }, () => startUpload('a'))
  const otherUpload = startUpload('b')
  await flushPromises()
  expect(ownUploads.map((each) => each.in)).toEqual([true, true, false, false, false])
  expect(otherUpload.in).toBe(true)
  ownUploads[1]?.end()
  await flushPromises()
  expect(ownUploads.map((each) => each.in)).toEqual([true, true, true, false, false])
})

test('an upload that waits too long is refused, with its reason and a retry time', async () => {
  const [, , third] = [startUpload('a'), startUpload('a'), startUpload('a')]
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await third?.done).toMatchObject({
    code: 'too_many',
    retryAfter: 10,
    items: [{ reference: 'File' }],
  })
})

test('an upload beyond the waiting limit is refused at once', async () => {
  const ownUploads = Array.from({ length: 9 }, () => startUpload('a'))
  expect(await ownUploads[8]?.done).toMatchObject({ code: 'too_many' })
})

test('if all slots are taken, the next upload takes the first free one', async () => {
  const runningUploads = Array.from({ length: 12 }, (_, number) => startUpload(`p${number}`))
  const [firstWaiting, secondWaiting] = [startUpload('late'), startUpload('later')]
  await flushPromises()
  expect([firstWaiting.in, secondWaiting.in]).toEqual([false, false])
  runningUploads[5]?.end()
  await flushPromises()
  expect([firstWaiting.in, secondWaiting.in]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await secondWaiting.done).toMatchObject({ code: 'unavailable', retryAfter: 10 })
})

test('an upload aborted while waiting takes no slot', async () => {
  const abortController = new AbortController()
  const [firstUpload] = [startUpload('a'), startUpload('a')]
  const thirdUpload = startUpload('a', abortController.signal)
  const fourthUpload = startUpload('a')
  abortController.abort()
  await thirdUpload.done
  firstUpload?.end()
  await flushPromises()
  expect([thirdUpload.in, fourthUpload.in]).toEqual([false, true])
})
