import { useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { clearQueries, currentQueryClient } from './client'
import { QueryProvider } from './provider'

beforeEach(() => {
  vi.useFakeTimers()
  clearQueries()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const payoutKey = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advanceTimers = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const text = () => screen.getByRole('paragraph').textContent
const show = (children: ReactNode, person = 'omar') => <QueryProvider person={person}>{children}</QueryProvider>

function QueryView({ queryKey = payoutKey, queryFn }: { queryFn: () => Promise<string>; queryKey?: readonly unknown[] }) {
  const { data, error } = useQuery({ queryKey, queryFn })
  return <p>{[data, error?.code].filter(Boolean).join(' ')}</p>
}

test('another person never sees data of the previous person, even from a late response', async () => {
  const responders: ((data: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => responders.push(resolve))
  const { rerender } = render(show(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  responders[0]?.('for Omar')
  await advanceTimers()
  expect(text()).toBe('for Omar')
  const firstClient = currentQueryClient()
  void act(() => {
    void firstClient?.refetchQueries()
  })
  rerender(show(<QueryView queryFn={queryFn} />, 'rita'))
  expect(text()).toBe('')
  responders[1]?.('late for Omar')
  await advanceTimers()
  expect(text()).toBe('')
  expect(firstClient?.getQueryCache().getAll()).toEqual([])
  responders[2]?.('for Rita')
  await advanceTimers()
  expect(text()).toBe('for Rita')
})

test('the cache is empty after sign-out, and the next read fetches', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  const { unmount } = render(show(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  unmount()
  clearQueries()
  expect(currentQueryClient()?.getQueryCache().getAll()).toEqual([])
  expect(currentQueryClient()?.getMutationCache().getAll()).toEqual([])
  render(show(<QueryView queryFn={queryFn} />))
  await advanceTimers()
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test('after a sign-out in another tab the cache keeps only the displayed data', async () => {
  const previousPage = render(show(<QueryView queryKey={['left']} queryFn={async () => 'left'} />))
  await advanceTimers()
  previousPage.unmount()
  const answers = [async () => 'fetched', () => Promise.reject(new CallError('unauthenticated'))]
  const OnRequest = () => void useQuery({ queryKey: ['on request'], queryFn: async () => 'fetched', enabled: false })
  render(show(<OnRequest />))
  render(show(<QueryView queryFn={() => answers.shift()?.() ?? Promise.resolve('')} />))
  await advanceTimers()
  const listCachedKeys = () =>
    currentQueryClient()
      ?.getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey)
  expect(listCachedKeys()).toEqual([['left'], ['on request'], payoutKey])
  await act(() => void currentQueryClient()?.refetchQueries({ type: 'active' }))
  await advanceTimers()
  expect(listCachedKeys()).toEqual([['on request'], payoutKey])
  expect(text()).toBe('fetched unauthenticated')
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
  const { unmount } = render(show(<ReleaseButton />))
  act(() => screen.getByRole('button').click())
  await advanceTimers()
  unmount()
  await advanceTimers(1)
  expect(currentQueryClient()?.getMutationCache().getAll()).toEqual([])
})
