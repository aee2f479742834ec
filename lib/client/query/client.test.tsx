import { onlineManager, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { clearQueries, currentQueryClient, invalidateReads } from './client'
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

const payoutKey = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advanceTimers = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const text = () => screen.getByRole('paragraph').textContent

/** Returns a query function, and the functions with which the test sends its responses one by one. */
function respondLater<T>() {
  const responders: ((data: T) => void)[] = []
  const queryFn = vi.fn(() => new Promise<T>((resolve) => responders.push(resolve)))
  return { queryFn, respond: responders }
}

type ShownProps = { queryFn: () => Promise<string>; queryKey?: readonly unknown[]; staleTime?: number; refetchInterval?: number }

function QueryView({ queryKey = payoutKey, ...options }: ShownProps) {
  const { data, error, fetchStatus } = useQuery({ queryKey, ...options })
  return <p>{[data, error?.code, fetchStatus === 'paused' && 'paused'].filter(Boolean).join(' ')}</p>
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

const show = (children: ReactNode, person = 'omar') => <QueryProvider person={person}>{children}</QueryProvider>
const release = () => act(() => screen.getByRole('button').click())

test('a failed read or write is not retried', async () => {
  const refuse = vi.fn(() => Promise.reject(new CallError('service_failed')))
  const write = vi.fn(() => Promise.reject(new CallError('outcome_unknown')))
  render(
    show(
      <>
        <QueryView queryFn={refuse} />
        <ReleaseButton mutationFn={write} />
      </>,
    ),
  )
  await advanceTimers(120_000)
  expect(text()).toBe('service_failed')
  expect(refuse).toHaveBeenCalledTimes(1)
  await release()
  await advanceTimers(120_000)
  expect(screen.getByRole('status').textContent).toBe('outcome_unknown')
  expect(write).toHaveBeenCalledTimes(1)
})

test('offline, a read and a write fail at once, and nothing is sent when the connection is back', async () => {
  onlineManager.setOnline(false)
  const read = vi.fn(() => Promise.reject(new CallError('forbidden')))
  const write = vi.fn(() => Promise.reject(CallError.noAnswer(true)))
  render(
    show(
      <>
        <QueryView queryFn={read} />
        <ReleaseButton mutationFn={write} />
      </>,
    ),
  )
  await release()
  await advanceTimers()
  expect(text()).toBe('forbidden')
  expect(screen.getByRole('status').textContent).toBe('outcome_unknown')
  // The second read follows because the write made the data stale.
  expect(read).toHaveBeenCalledTimes(2)
  onlineManager.setOnline(true)
  await advanceTimers(60_000)
  expect(write).toHaveBeenCalledTimes(1)
  expect(read).toHaveBeenCalledTimes(2)
})

test('only a read that failed without a connection is refetched when the connection is back', async () => {
  const failOnce = (error: CallError) => vi.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValue('fetched')
  const [lost, refused] = [failOnce(CallError.noAnswer(false)), failOnce(new CallError('forbidden'))]
  render(
    show(
      <>
        <QueryView queryKey={['lost']} queryFn={lost} />
        <QueryView queryKey={['refused']} queryFn={refused} />
      </>,
    ),
  )
  await advanceTimers()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['unavailable', 'forbidden'])
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await advanceTimers()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['fetched', 'forbidden'])
  expect([lost, refused].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
})

test('a response that a write made stale in flight is never shown, not even as the first one', async () => {
  const { queryFn, respond } = respondLater<string>()
  const renderedValues: string[] = []
  const Recorder = () => {
    const { data } = useQuery({ queryKey: payoutKey, queryFn })
    useEffect(() => {
      if (data) renderedValues.push(data)
    })
    return null
  }
  render(
    show(
      <>
        <Recorder />
        <ReleaseButton mutationFn={async () => 'released'} />
      </>,
    ),
  )
  await advanceTimers()
  await release()
  await advanceTimers()
  expect(queryFn).toHaveBeenCalledTimes(2)
  respond[0]?.('before the write')
  await advanceTimers()
  respond[1]?.('after the write')
  await advanceTimers()
  await act(() => void currentQueryClient()?.invalidateQueries())
  await release()
  await advanceTimers()
  respond[2]?.('before the second write')
  respond[3]?.('after the second write')
  await advanceTimers()
  expect(renderedValues.filter((data) => data.startsWith('before'))).toEqual([])
  expect(renderedValues.at(-1)).toBe('after the second write')
})

test('invalidate waits for the refetch that replaced a canceled one', async () => {
  const { queryFn, respond } = respondLater<string>()
  render(show(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  respond[0]?.('at first')
  await advanceTimers()
  const client = currentQueryClient()
  let isSettled = false
  if (client)
    void invalidateReads(client).then(() => {
      isSettled = true
    })
  await advanceTimers()
  if (client) void invalidateReads(client)
  respond[1]?.('canceled')
  await advanceTimers()
  expect([isSettled, text()]).toEqual([false, 'at first'])
  respond[2]?.('after both changes')
  await advanceTimers()
  expect([isSettled, text()]).toEqual([true, 'after both changes'])
})

test('a stale read is not refetched when the window gets the focus', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  render(show(<QueryView queryFn={queryFn} staleTime={0} />))
  await advanceTimers()
  dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event('visibilitychange'))
  await advanceTimers(1000)
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('polling stops while the tab is hidden', async () => {
  let pollCount = 0
  render(show(<QueryView queryFn={async () => String(++pollCount)} refetchInterval={2000} />))
  await advanceTimers()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await advanceTimers(20_000)
  expect(text()).toBe('1')
  visibility.mockRestore()
  await advanceTimers(2100)
  expect(text()).toBe('2')
})
