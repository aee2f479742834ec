import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '@/lib/client/call-error'
import { queryClient } from '@/lib/client/query-client'
import { QueriesPaused, QueryProvider, type UseQueryOptions, useQueries, useQuery } from '@/lib/client/use-query'

beforeEach(() => {
  vi.useFakeTimers()
  queryClient().clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const options = (queryFn: () => Promise<string>, more: Partial<UseQueryOptions<string>> = {}) => ({
  queryKey: ['sandbox'],
  queryFn,
  ...more,
})
const Shown = (props: UseQueryOptions<string>) => {
  const { data, error, isFetching, isPending } = useQuery(props)
  return <p>{[data, error?.code, isFetching && 'asking', isPending && 'pending'].filter(Boolean).join(' ')}</p>
}
const show = (children: ReactNode, held = false) => (
  <QueryProvider>
    <QueriesPaused value={held}>{children}</QueriesPaused>
  </QueryProvider>
)
const text = () => screen.getByRole('paragraph').textContent
const turn = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

test('it is asking from the first drawing on, and shows what came', async () => {
  const drawn: (string | null)[] = []
  const Noted = (props: UseQueryOptions<string>) => {
    drawn.push(useQuery(props).isFetching ? 'asking' : 'still')
    return null
  }
  render(show(<Noted {...options(async () => 'read')} />))
  await turn()
  expect(drawn[0]).toBe('asking')
  expect(drawn.at(-1)).toBe('still')
})

test('a reading that is held asks nothing until it is let go', async () => {
  const ask = vi.fn(async () => 'read')
  const { rerender } = render(show(<Shown {...options(ask)} />, true))
  await turn()
  expect(text()).toBe('pending')
  rerender(show(<Shown {...options(ask)} />))
  await turn()
  expect(text()).toBe('read')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('what the server read is shown and believed as long as an own reading', async () => {
  const ask = vi.fn(async () => 'from the browser')
  const given = options(ask, { initialData: 'from the server', initialDataUpdatedAt: Date.now() })
  const { unmount } = render(show(<Shown {...given} />))
  await turn()
  expect(text()).toBe('from the server')
  unmount()
  await turn(15_000)
  render(show(<Shown {...given} />))
  await turn()
  expect(text()).toBe('from the browser')
})

test('what is not enabled asks once it is', async () => {
  const ask = vi.fn(async () => 'read')
  const { rerender } = render(show(<Shown {...options(ask, { enabled: false })} />))
  await turn()
  expect(text()).toBe('pending')
  rerender(show(<Shown {...options(ask, { enabled: true })} />))
  await turn()
  expect(text()).toBe('read')
})

test('a failed reading of something known leaves it on the screen', async () => {
  const answers = [async () => 'read', () => Promise.reject(new CallError('unavailable'))]
  render(show(<Shown {...options(() => (answers.shift() ?? answers[0])?.() as Promise<string>)} />))
  await turn()
  await act(() => queryClient().invalidateQueries())
  expect(text()).toBe('read unavailable')
})

test('it is asked again at each interval while the page is in sight, until the answer says enough', async () => {
  let asked = 0
  const every = ({ state }: { state: { dataUpdateCount: number } }) => (state.dataUpdateCount < 3 ? 2000 : false)
  render(show(<Shown {...options(async () => String(++asked), { refetchInterval: every })} />))
  await turn()
  const sight = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await turn(6000)
  expect(text()).toBe('1')
  sight.mockRestore()
  for (let times = 0; times < 6; times++) await turn(2000)
  expect(text()).toBe('3')
})

test('several are shown in their order, and a further one leaves the others as they are', async () => {
  const asked: number[] = []
  let letGo = () => {}
  const held = new Promise<void>((done) => {
    letGo = done
  })
  const page = (number: number) => ({
    queryKey: ['page', number],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      asked.push(number)
      await held
      signal.throwIfAborted()
      return `page ${number}`
    },
  })
  const Pages = ({ count }: { count: number }) => (
    <p>
      {useQueries(Array.from({ length: count }, (_, before) => page(before + 1)))
        .map(({ data, error }) => data ?? error?.code)
        .join(', ')}
    </p>
  )
  const { rerender } = render(show(<Pages count={1} />))
  rerender(show(<Pages count={2} />))
  await turn()
  letGo()
  await turn()
  expect(text()).toBe('page 1, page 2')
  expect(asked).toEqual([1, 2])
})

test('what failed for want of a connection is asked again when it is back, and nothing else is', async () => {
  const failing = (error: CallError) => vi.fn().mockRejectedValueOnce(error).mockResolvedValue('read')
  const [lost, refused] = [failing(CallError.noAnswer(false)), failing(new CallError('forbidden'))]
  render(
    show(
      <>
        <Shown {...options(lost, { queryKey: ['lost'] })} />
        <Shown {...options(refused, { queryKey: ['refused'] })} />
      </>,
    ),
  )
  await turn()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['unavailable', 'forbidden'])
  dispatchEvent(new Event('online'))
  await turn()
  expect(screen.getAllByRole('paragraph').map((each) => each.textContent)).toEqual(['read', 'forbidden'])
  expect([lost, refused].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
})

test('a part that React takes over late is drawn as the server drew it first, and then as it is', async () => {
  const given = options(async () => 'from the browser', { initialData: 'from the server', initialDataUpdatedAt: Date.now() })
  const place = document.body.appendChild(document.createElement('div'))
  place.innerHTML = renderToString(show(<Shown {...given} />))
  expect(place.textContent).toBe('from the server')
  const came = queryClient().query<string>(given).fetch(given.queryFn, true)
  await turn()
  await came
  const faults: unknown[] = []
  const root = await act(() => hydrateRoot(place, show(<Shown {...given} />), { onRecoverableError: (fault) => faults.push(fault) }))
  expect(faults).toEqual([])
  expect(place.textContent).toBe('from the browser')
  act(() => root.unmount())
  place.remove()
})
