import { useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { clearQueries, getCurrentQueryClient } from './client'
import { QueryProvider } from './provider'

beforeEach(() => {
  vi.useFakeTimers()
  clearQueries()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const payoutQueryKey = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advanceTimers = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const getParagraphText = () => screen.getByRole('paragraph').textContent
const wrapInProvider = (children: ReactNode, person = 'omar') => (
  <QueryProvider person={person}>{children}</QueryProvider>
)

function QueryView({
  queryKey = payoutQueryKey,
  queryFn,
}: {
  queryFn: () => Promise<string>
  queryKey?: readonly unknown[]
}) {
  const { data, error } = useQuery({ queryKey, queryFn })
  return <p>{[data, error?.code].filter(Boolean).join(' ')}</p>
}

test('another person never sees data of the previous person, even from a late response', async () => {
  const queryResponders: ((data: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => queryResponders.push(resolve))
  const { rerender } = render(wrapInProvider(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  queryResponders[0]?.('for Omar')
  await advanceTimers()
  expect(getParagraphText()).toBe('for Omar')
  const firstClient = getCurrentQueryClient()
  void act(() => {
    void firstClient?.refetchQueries()
  })
  rerender(wrapInProvider(<QueryView queryFn={queryFn} />, 'rita'))
  expect(getParagraphText()).toBe('')
  queryResponders[1]?.('late for Omar')
  await advanceTimers()
  expect(getParagraphText()).toBe('')
  expect(firstClient?.getQueryCache().getAll()).toEqual([])
  queryResponders[2]?.('for Rita')
  await advanceTimers()
  expect(getParagraphText()).toBe('for Rita')
})

test('the cache is empty after sign-out, and the next read fetches', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  const { unmount } = render(wrapInProvider(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  unmount()
  clearQueries()
  expect(getCurrentQueryClient()?.getQueryCache().getAll()).toEqual([])
  expect(getCurrentQueryClient()?.getMutationCache().getAll()).toEqual([])
  render(wrapInProvider(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test.each([
  ['a sign-out', 'unauthenticated'],
  ['a sign-in of another person', 'other_person'],
] as const)('after %s in another tab the cache keeps only the displayed data', async (_, code) => {
  const previousPage = render(
    wrapInProvider(<QueryView queryKey={['left']} queryFn={async () => 'left'} />),
  )
  await advanceTimers()
  previousPage.unmount()
  const queryFunctions = [async () => 'fetched', () => Promise.reject(new CallError(code))]
  const DisabledQuery = () =>
    void useQuery({ queryKey: ['on request'], queryFn: async () => 'fetched', enabled: false })
  render(wrapInProvider(<DisabledQuery />))
  render(
    wrapInProvider(<QueryView queryFn={() => queryFunctions.shift()?.() ?? Promise.resolve('')} />),
  )
  await advanceTimers()
  const listCachedKeys = () =>
    getCurrentQueryClient()
      ?.getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey)
  expect(listCachedKeys()).toEqual([['left'], ['on request'], payoutQueryKey])
  await act(() => void getCurrentQueryClient()?.refetchQueries({ type: 'active' }))
  await advanceTimers()
  expect(listCachedKeys()).toEqual([['on request'], payoutQueryKey])
  expect(getParagraphText()).toBe(`fetched ${code}`)
})

test('sent input leaves the cache when its form unmounts', async () => {
  const ReleaseButton = () => {
    const { mutate } = useMutation({ mutationFn: async (_number: string) => 'released' })
    return (
      <button type="button" onClick={() => mutate('021000021')}>
        Release
      </button>
    )
  }
  const { unmount } = render(wrapInProvider(<ReleaseButton />))
  act(() => screen.getByRole('button').click())
  await advanceTimers()
  unmount()
  await advanceTimers(1)
  expect(getCurrentQueryClient()?.getMutationCache().getAll()).toEqual([])
})
