import { onlineManager, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { clearQueries, currentQueryClient, invalidate } from './client'
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

const payouts = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advance = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const text = () => screen.getByRole('paragraph').textContent

/** Returns a query function, and the functions with which the test sends its responses one by one. */
function respondLater<T>() {
  const respond: ((data: T) => void)[] = []
  const queryFn = vi.fn(() => new Promise<T>((resolve) => respond.push(resolve)))
  return { queryFn, respond }
}

type ShownProps = { queryFn: () => Promise<string>; queryKey?: readonly unknown[]; staleTime?: number; refetchInterval?: number }

function Shown({ queryKey = payouts, ...options }: ShownProps) {
  const { data, error, fetchStatus } = useQuery({ queryKey, ...options })
  return <p>{[data, error?.code, fetchStatus === 'paused' && 'paused'].filter(Boolean).join(' ')}</p>
}

function Release({ mutationFn }: { mutationFn: () => Promise<unknown> }) {
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
        <Shown queryFn={refuse} />
        <Release mutationFn={write} />
      </>,
    ),
  )
  await advance(120_000)
  expect(text()).toBe('service_failed')
  expect(refuse).toHaveBeenCalledTimes(1)
  await release()
  await advance(120_000)
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
        <Shown queryFn={read} />
        <Release mutationFn={write} />
      </>,
    ),
  )
  await release()
  await advance()
  expect(text()).toBe('forbidden')
  expect(screen.getByRole('status').textContent).toBe('outcome_unknown')
  // The second read follows because the write made the data stale.
  expect(read).toHaveBeenCalledTimes(2)
  onlineManager.setOnline(true)
  await advance(60_000)
  expect(write).toHaveBeenCalledTimes(1)
  expect(read).toHaveBeenCalledTimes(2)
})

test('only a read that failed without a connection is refetched when the connection is back', async () => {
  const failOnce = (error: CallError) => vi.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValue('fetched')
  const [lost, refused] = [failOnce(CallError.noAnswer(false)), failOnce(new CallError('forbidden'))]
  render(
    show(
      <>
        <Shown queryKey={['lost']} queryFn={lost} />
        <Shown queryKey={['refused']} queryFn={refused} />
      </>,
    ),
  )
  await advance()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['unavailable', 'forbidden'])
  dispatchEvent(new Event('offline'))
  dispatchEvent(new Event('online'))
  await advance()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['fetched', 'forbidden'])
  expect([lost, refused].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
})

test('a response that a write made stale in flight is never shown, not even as the first one', async () => {
  const { queryFn, respond } = respondLater<string>()
  const drawn: string[] = []
  const Recorder = () => {
    const { data } = useQuery({ queryKey: payouts, queryFn })
    useEffect(() => {
      if (data) drawn.push(data)
    })
    return null
  }
  render(
    show(
      <>
        <Recorder />
        <Release mutationFn={async () => 'released'} />
      </>,
    ),
  )
  await advance()
  await release()
  await advance()
  expect(queryFn).toHaveBeenCalledTimes(2)
  respond[0]?.('before the write')
  await advance()
  respond[1]?.('after the write')
  await advance()
  await act(() => void currentQueryClient()?.invalidateQueries())
  await release()
  await advance()
  respond[2]?.('before the second write')
  respond[3]?.('after the second write')
  await advance()
  expect(drawn.filter((data) => data.startsWith('before'))).toEqual([])
  expect(drawn.at(-1)).toBe('after the second write')
})

test('invalidate waits for the refetch that replaced a canceled one', async () => {
  const { queryFn, respond } = respondLater<string>()
  render(show(<Shown queryFn={queryFn} />))
  await advance()
  respond[0]?.('at first')
  await advance()
  const client = currentQueryClient()
  let isSettled = false
  if (client)
    void invalidate(client).then(() => {
      isSettled = true
    })
  await advance()
  if (client) void invalidate(client)
  respond[1]?.('canceled')
  await advance()
  expect([isSettled, text()]).toEqual([false, 'at first'])
  respond[2]?.('after both changes')
  await advance()
  expect([isSettled, text()]).toEqual([true, 'after both changes'])
})

test('a stale read is not refetched when the window gets the focus', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  render(show(<Shown queryFn={queryFn} staleTime={0} />))
  await advance()
  dispatchEvent(new Event('focus'))
  document.dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event('visibilitychange'))
  await advance(1000)
  expect(queryFn).toHaveBeenCalledTimes(1)
})

test('polling stops while the tab is hidden', async () => {
  let polls = 0
  render(show(<Shown queryFn={async () => String(++polls)} refetchInterval={2000} />))
  await advance()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await advance(20_000)
  expect(text()).toBe('1')
  visibility.mockRestore()
  await advance(2100)
  expect(text()).toBe('2')
})
