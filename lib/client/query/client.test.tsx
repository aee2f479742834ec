import { onlineManager, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { clearQueries, getCurrentQueryClient, invalidateReads } from './client'
import { QueryProvider } from './provider'

beforeEach(() => {
  vi.useFakeTimers()
  clearQueries()
})
afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const payoutQueryKey = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advanceTimers = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const getParagraphText = () => screen.getByRole('paragraph').textContent

/**
 * Returns a query function, and the functions with which the test sends its responses one by one.
 */
function createPendingQuery<T>() {
  const queryResponders: ((data: T) => void)[] = []
  const queryFn = vi.fn(() => new Promise<T>((resolve) => queryResponders.push(resolve)))
  return { queryFn, respond: queryResponders }
}

type QueryViewProps = {
  queryFn: () => Promise<string>
  queryKey?: readonly unknown[]
  staleTime?: number
  refetchInterval?: number
}

function QueryView({ queryKey = payoutQueryKey, ...options }: QueryViewProps) {
  const { data, error, fetchStatus } = useQuery({ queryKey, ...options })
  return (
    <p>{[data, error?.code, fetchStatus === 'paused' && 'paused'].filter(Boolean).join(' ')}</p>
  )
}

function ReleaseButton({ mutationFn }: { mutationFn: () => Promise<unknown> }) {
  const { mutate, error, isPaused } = useMutation({
    mutationFn: (_request: { operation: 'payouts.release' }) => mutationFn(),
    meta: { environment: 'sandbox' },
  })
  return (
    <>
      <button type="button" onClick={() => mutate({ operation: 'payouts.release' })}>
        Release
      </button>
      <output>{isPaused ? 'paused' : error?.code}</output>
    </>
  )
}

const wrapInProvider = (children: ReactNode, person = 'omar') => (
  <QueryProvider person={person}>{children}</QueryProvider>
)
const clickRelease = () => act(() => screen.getByRole('button').click())

test('a failed read or write is not retried', async () => {
  const failingRead = vi.fn(() => Promise.reject(new CallError('service_failed')))
  const failingWrite = vi.fn(() => Promise.reject(new CallError('outcome_unknown')))
  render(
    wrapInProvider(
      <>
        <QueryView queryFn={failingRead} />
        <ReleaseButton mutationFn={failingWrite} />
      </>,
    ),
  )
  await advanceTimers(120_000)
  expect(getParagraphText()).toBe('service_failed')
  expect(failingRead).toHaveBeenCalledTimes(1)
  await clickRelease()
  await advanceTimers(120_000)
  expect(screen.getByRole('status').textContent).toBe('outcome_unknown')
  expect(failingWrite).toHaveBeenCalledTimes(1)
})

test('offline, a read and a write fail at once, and nothing is sent when the connection is back', async () => {
  onlineManager.setOnline(false)
  const forbiddenRead = vi.fn(() => Promise.reject(new CallError('forbidden')))
  const unansweredWrite = vi.fn(() => Promise.reject(CallError.noAnswer(true)))
  render(
    wrapInProvider(
      <>
        <QueryView queryFn={forbiddenRead} />
        <ReleaseButton mutationFn={unansweredWrite} />
      </>,
    ),
  )
  await clickRelease()
  await advanceTimers()
  expect(getParagraphText()).toBe('forbidden')
  expect(screen.getByRole('status').textContent).toBe('outcome_unknown')
  // The second read follows because the write made the data stale.
  expect(forbiddenRead).toHaveBeenCalledTimes(2)
  onlineManager.setOnline(true)
  await advanceTimers(60_000)
  expect(unansweredWrite).toHaveBeenCalledTimes(1)
  expect(forbiddenRead).toHaveBeenCalledTimes(2)
})

test('only a read that failed without a connection is refetched when the connection is back', async () => {
  const createReadFailingOnce = (error: CallError) =>
    vi.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValue('fetched')
  const [lostRead, refusedRead] = [
    createReadFailingOnce(CallError.noAnswer(false)),
    createReadFailingOnce(new CallError('forbidden')),
  ]
  render(
    wrapInProvider(
      <>
        <QueryView queryKey={['lost']} queryFn={lostRead} />
        <QueryView queryKey={['refused']} queryFn={refusedRead} />
      </>,
    ),
  )
  await advanceTimers()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual([
    'unavailable',
    'forbidden',
  ])
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await advanceTimers()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual([
    'fetched',
    'forbidden',
  ])
  expect([lostRead, refusedRead].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
})

test('a response that a write made stale in flight is never shown, not even as the first one', async () => {
  const { queryFn, respond } = createPendingQuery<string>()
  const renderedValues: string[] = []
  const RenderRecorder = () => {
    const { data } = useQuery({ queryKey: payoutQueryKey, queryFn })
    useEffect(() => {
      if (data) renderedValues.push(data)
    })
    return null
  }
  render(
    wrapInProvider(
      <>
        <RenderRecorder />
        <ReleaseButton mutationFn={async () => 'released'} />
      </>,
    ),
  )
  await advanceTimers()
  await clickRelease()
  await advanceTimers()
  expect(queryFn).toHaveBeenCalledTimes(2)
  respond[0]?.('before the write')
  await advanceTimers()
  respond[1]?.('after the write')
  await advanceTimers()
  await act(() => void getCurrentQueryClient()?.invalidateQueries())
  await clickRelease()
  await advanceTimers()
  respond[2]?.('before the second write')
  respond[3]?.('after the second write')
  await advanceTimers()
  expect(renderedValues.filter((data) => data.startsWith('before'))).toEqual([])
  expect(renderedValues.at(-1)).toBe('after the second write')
})

test('invalidate waits for the refetch that replaced a canceled one', async () => {
  const { queryFn, respond } = createPendingQuery<string>()
  render(wrapInProvider(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  respond[0]?.('at first')
  await advanceTimers()
  const queryClient = getCurrentQueryClient()
  let isSettled = false
  if (queryClient)
    void invalidateReads(queryClient).then(() => {
      isSettled = true
    })
  await advanceTimers()
  if (queryClient) void invalidateReads(queryClient)
  respond[1]?.('canceled')
  await advanceTimers()
  expect([isSettled, getParagraphText()]).toEqual([false, 'at first'])
  respond[2]?.('after both changes')
  await advanceTimers()
  expect([isSettled, getParagraphText()]).toEqual([true, 'after both changes'])
})

test('a stale read is not refetched when the window gets the focus', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  render(wrapInProvider(<QueryView queryFn={queryFn} staleTime={0} />))
  await advanceTimers()
  dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event('visibilitychange'))
  await advanceTimers(1000)
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('polling stops while the tab is hidden', async () => {
  let pollCount = 0
  render(
    wrapInProvider(<QueryView queryFn={async () => String(++pollCount)} refetchInterval={2000} />),
  )
  await advanceTimers()
  const visibilitySpy = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await advanceTimers(20_000)
  expect(getParagraphText()).toBe('1')
  visibilitySpy.mockRestore()
  await advanceTimers(2100)
  expect(getParagraphText()).toBe('2')
})
