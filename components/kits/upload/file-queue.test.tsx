import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { isCertainRefusal } from '@/components/kits/action/outcome'
import { CallError } from '@/lib/client/call-error'
import { createFileQueue, listJobsToStart, useFileQueue } from './file-queue'

/** Functions that end the requests that are still running after a test. */
const requestEndCallbacks: (() => void)[] = []
afterEach(async () => {
  cleanup()
  for (const end of requestEndCallbacks.splice(0)) end()
  await Promise.resolve()
})

const makeFile = (name: string, size = 3) => new File(['x'.repeat(size)], name)

/** A service that responds when the test calls `end`, and records the keys of its requests. */
function createTestUploadService() {
  const calls: { name: string; key: string; end: (error?: CallError) => void }[] = []
  let attachedCount = 0
  const queueRules = {
    room: 3,
    check: async (each: File) =>
      each.name.endsWith('.txt') ? { problem: { id: 'ending', reason: 'no', fix: 'other' } } : {},
    send: (each: File, { key, signal }: { key: string; signal: AbortSignal }) =>
      new Promise<string | undefined>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new CallError('not_sent', 'stopped')))
        requestEndCallbacks.push(() => resolve('done'))
        calls.push({
          name: each.name,
          key,
          end: (error) => (error ? reject(error) : resolve('done')),
        })
      }),
    isDefinite: (error: CallError) => error.code !== 'outcome_unknown',
    onAttached: () => {
      attachedCount += 1
    },
  }
  return { calls, rules: queueRules, attached: () => attachedCount }
}

/** Chooses files, waits until they are checked, and sends them. */
async function uploadFiles(
  result: { current: ReturnType<typeof useFileQueue> },
  files: readonly File[],
) {
  act(() => result.current.add(files))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(files.map(() => 'ready')))
  act(() => result.current.sendAll())
}

const listStates = (jobs: readonly { state: string }[]) => jobs.map((job) => job.state)

test('uploads three files at once and starts the fourth when one ends', async () => {
  const { calls, rules, attached } = createTestUploadService()
  const { result } = renderHook(() => useFileQueue(rules))
  await uploadFiles(
    result,
    ['a', 'b', 'c', 'd'].map((name) => makeFile(`${name}.pdf`)),
  )
  await waitFor(() =>
    expect(listStates(result.current.jobs)).toEqual(['sending', 'sending', 'sending', 'waiting']),
  )
  expect(calls).toHaveLength(3)
  act(() => calls[0]?.end())
  await waitFor(() =>
    expect(listStates(result.current.jobs)).toEqual(['attached', 'sending', 'sending', 'sending']),
  )
  expect(attached()).toBe(1)
  expect(new Set(calls.map((call) => call.key)).size).toBe(4)
})

test('a selected file is not sent, and leaving the page warns until the file is removed', async () => {
  const { calls, rules } = createTestUploadService()
  const { result } = renderHook(() => useFileQueue(rules))
  const canLeavePage = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(canLeavePage()).toBe(true)
  act(() => result.current.add([makeFile('a.pdf')]))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['ready']))
  expect(canLeavePage()).toBe(false)
  act(() => result.current.remove(result.current.jobs[0]?.id ?? ''))
  expect(canLeavePage()).toBe(true)
  expect(calls).toHaveLength(0)
})

test('never sends an invalid file', async () => {
  const { calls, rules } = createTestUploadService()
  const { result } = renderHook(() => useFileQueue(rules))
  act(() => result.current.add([makeFile('notes.txt')]))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['refused']))
  act(() => result.current.sendAll())
  expect(calls).toHaveLength(0)
})

test('retries an unknown outcome under its own key and a refusal under a new key', async () => {
  const { calls, rules } = createTestUploadService()
  const { result } = renderHook(() => useFileQueue(rules))
  await uploadFiles(result, [makeFile('a.pdf')])
  await waitFor(() => expect(calls).toHaveLength(1))
  act(() => calls[0]?.end(new CallError('outcome_unknown')))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['unknown']))
  act(() => result.current.retry(result.current.jobs[0]?.id ?? ''))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.key).toBe(calls[0]?.key)
  act(() => calls[1]?.end(new CallError('service_refused')))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['failed']))
  act(() => result.current.retry(result.current.jobs[0]?.id ?? ''))
  await waitFor(() => expect(calls).toHaveLength(3))
  expect(calls[2]?.key).not.toBe(calls[0]?.key)
})

test('a file refused with “too many” keeps its key and can be retried', async () => {
  const { calls, rules, attached } = createTestUploadService()
  const { result } = renderHook(() =>
    useFileQueue({ ...rules, isDefinite: (error) => isCertainRefusal(error.code) }),
  )
  await uploadFiles(result, [makeFile('a.pdf')])
  await waitFor(() => expect(calls).toHaveLength(1))
  act(() => calls[0]?.end(new CallError('too_many', 'File: not taken', { retryAfter: 10 })))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['failed']))
  act(() => result.current.retry(result.current.jobs[0]?.id ?? ''))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]).toMatchObject({ name: 'a.pdf', key: calls[0]?.key })
  act(() => calls[1]?.end())
  await waitFor(() => expect(attached()).toBe(1))
})

test('a connection that breaks during an upload keeps the key', async () => {
  const { calls, rules } = createTestUploadService()
  const { result } = renderHook(() =>
    useFileQueue({ ...rules, isDefinite: (error) => isCertainRefusal(error.code) }),
  )
  await uploadFiles(result, [makeFile('a.pdf')])
  await waitFor(() => expect(calls).toHaveLength(1))
  act(() => calls[0]?.end(new CallError('not_sent', 'broke', { local: true })))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['failed']))
  act(() => result.current.retry(result.current.jobs[0]?.id ?? ''))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.key).toBe(calls[0]?.key)
})

test('stopping an upload before its last byte cancels it and frees its slot', async () => {
  const { calls, rules } = createTestUploadService()
  const { result } = renderHook(() => useFileQueue({ ...rules, room: 1 }))
  await uploadFiles(result, [makeFile('a.pdf'), makeFile('b.pdf')])
  await waitFor(() => expect(calls).toHaveLength(1))
  act(() => result.current.stop(result.current.jobs[0]?.id ?? ''))
  await waitFor(() => expect(listStates(result.current.jobs)).toEqual(['cancelled', 'sending']))
})

test('a kept queue continues after unmount, warns before leaving, and can be mounted again', async () => {
  const { calls, rules } = createTestUploadService()
  const queue = createFileQueue()
  const firstMount = renderHook(() => useFileQueue({ ...rules, room: 1 }, queue))
  await uploadFiles(firstMount.result, [makeFile('a.pdf'), makeFile('b.pdf')])
  act(() => firstMount.result.current.add([makeFile('c.pdf')]))
  firstMount.unmount()
  calls[0]?.end()
  await waitFor(() => expect(listStates(queue.jobs())).toEqual(['attached', 'sending', 'ready']))
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  const secondMount = renderHook(() => useFileQueue({ ...rules, room: 1 }, queue))
  expect(listStates(secondMount.result.current.jobs)).toEqual(['attached', 'sending', 'ready'])
  act(() => secondMount.result.current.remove(secondMount.result.current.jobs[2]?.id ?? ''))
  act(() => calls[1]?.end())
  await waitFor(() =>
    expect(listStates(secondMount.result.current.jobs)).toEqual(['attached', 'attached']),
  )
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
})

test('starts no upload if all slots are in use', () => {
  const makeJob = (state: 'sending' | 'waiting') => ({
    id: state,
    file: makeFile('a.pdf'),
    key: 'k',
    state,
    share: 0,
  })
  expect(listJobsToStart([makeJob('sending'), makeJob('waiting')], 1)).toEqual([])
  expect(listJobsToStart([makeJob('sending'), makeJob('waiting')], 2)).toHaveLength(1)
})
