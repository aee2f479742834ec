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

const payouts = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1' }]
const advance = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const text = () => screen.getByRole('paragraph').textContent
const show = (children: ReactNode, person = 'omar') => <QueryProvider person={person}>{children}</QueryProvider>

function Shown({ queryKey = payouts, queryFn }: { queryFn: () => Promise<string>; queryKey?: readonly unknown[] }) {
  const { data, error } = useQuery({ queryKey, queryFn })
  return <p>{[data, error?.code].filter(Boolean).join(' ')}</p>
}

test('another person never sees data of the previous person, even from a late response', async () => {
  const respond: ((data: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => respond.push(resolve))
  const { rerender } = render(show(<Shown queryFn={queryFn} />))
  await advance()
  respond[0]?.('for Omar')
  await advance()
  expect(text()).toBe('for Omar')
  const first = currentQueryClient()
  void act(() => {
    void first?.refetchQueries()
  })
  rerender(show(<Shown queryFn={queryFn} />, 'rita'))
  expect(text()).toBe('')
  respond[1]?.('late for Omar')
  await advance()
  expect(text()).toBe('')
  expect(first?.getQueryCache().getAll()).toEqual([])
  respond[2]?.('for Rita')
  await advance()
  expect(text()).toBe('for Rita')
})

test('the cache is empty after sign-out, and the next read fetches', async () => {
  const queryFn = vi.fn(async () => 'fetched')
  const { unmount } = render(show(<Shown queryFn={queryFn} />))
  await advance()
  unmount()
  clearQueries()
  expect(currentQueryClient()?.getQueryCache().getAll()).toEqual([])
  expect(currentQueryClient()?.getMutationCache().getAll()).toEqual([])
  render(show(<Shown queryFn={queryFn} />))
  await advance()
  expect(queryFn).toHaveBeenCalledTimes(2)
})

test('after a sign-out in another tab the cache keeps only the displayed data', async () => {
  const leftPage = render(show(<Shown queryKey={['left']} queryFn={async () => 'left'} />))
  await advance()
  leftPage.unmount()
  const answers = [async () => 'fetched', () => Promise.reject(new CallError('unauthenticated'))]
  const OnRequest = () => void useQuery({ queryKey: ['on request'], queryFn: async () => 'fetched', enabled: false })
  render(show(<OnRequest />))
  render(show(<Shown queryFn={() => answers.shift()?.() ?? Promise.resolve('')} />))
  await advance()
  const keys = () =>
    currentQueryClient()
      ?.getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey)
  expect(keys()).toEqual([['left'], ['on request'], payouts])
  await act(() => void currentQueryClient()?.refetchQueries({ type: 'active' }))
  await advance()
  expect(keys()).toEqual([['on request'], payouts])
  expect(text()).toBe('fetched unauthenticated')
})

test('sent input leaves the cache when its form unmounts', async () => {
  const Release = () => {
    const { mutate } = useMutation({ mutationFn: async (_number: string) => 'released' })
    return (
      <button type="button" onClick={() => mutate('021000021')}>
        Release
      </button>
    )
  }
  const { unmount } = render(show(<Release />))
  act(() => screen.getByRole('button').click())
  await advance()
  unmount()
  await advance(1)
  expect(currentQueryClient()?.getMutationCache().getAll()).toEqual([])
})
