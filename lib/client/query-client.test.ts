import { expect, test } from 'vitest'
import { CallError } from './call-error'
import { QueryClient, type QueryFn } from './query-client'

/** A reading that is answered by hand; `signals` are those of each time it was asked. */
function byHand<T>() {
  const signals: AbortSignal[] = []
  const answers: { give: (data: T) => void; fail: (cause: unknown) => void }[] = []
  const queryFn: QueryFn<T> = ({ signal }) => {
    signals.push(signal)
    return new Promise((give, fail) => answers.push({ give, fail }))
  }
  return { queryFn, signals, answers }
}

const key = ['sandbox', 'platform', 'payouts', 'payouts.get', { id: '1', page: 2 }]
const aTurn = async () => {
  for (let turns = 0; turns < 5; turns++) await Promise.resolve()
}

test('what is being asked is not asked twice, and one key in another order is one reading', async () => {
  const client = new QueryClient()
  const { queryFn, signals, answers } = byHand<string>()
  const sameKey = ['sandbox', 'platform', 'payouts', 'payouts.get', { page: 2, id: '1' }]
  const both = Promise.all([client.fetchQuery({ queryKey: key, queryFn }), client.fetchQuery({ queryKey: sameKey, queryFn })])
  answers[0]?.give('read')
  expect(await both).toEqual(['read', 'read'])
  expect(signals).toHaveLength(1)
})

test('a believed answer is not asked again, a stale one is', async () => {
  const client = new QueryClient()
  let asked = 0
  const queryFn = async () => ++asked
  expect(await client.fetchQuery({ queryKey: key, queryFn })).toBe(1)
  expect(await client.fetchQuery({ queryKey: key, queryFn })).toBe(1)
  expect(await client.fetchQuery({ queryKey: key, queryFn, staleTime: 0 })).toBe(2)
})

test('what was on its way when it was made stale is given up: only what was asked afterwards is shown', async () => {
  const client = new QueryClient()
  const { queryFn, signals, answers } = byHand<string>()
  const query = client.query<string>({ queryKey: key })
  query.watch({ changed: () => undefined, ask: () => queryFn })
  const first = query.fetch(queryFn)
  const invalidated = client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === 'payouts' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  answers[1]?.give('after the write')
  answers[0]?.give('before the write')
  await Promise.all([first, invalidated])
  expect(query.state).toMatchObject({ data: 'after the write', isFetching: false, isInvalidated: false })
})

test('when it was asked for is known of what is shown and of what is on its way, and not of what was given up', async () => {
  const client = new QueryClient()
  const { queryFn, answers } = byHand<string>()
  const query = client.query<string>({ queryKey: key })
  query.give('from the page', 0)
  expect(query.askedAt).toBe(0)
  const before = performance.now()
  const leave = query.watch({ changed: () => {}, ask: () => queryFn })
  const reading = query.fetch(queryFn)
  expect(query.askedAt).toBeGreaterThanOrEqual(before)
  const first = query.askedAt
  answers[0]?.give('read')
  await reading
  expect(query.askedAt).toBe(first)
  const failing = query.fetch(queryFn)
  answers[1]?.fail(new CallError('unavailable'))
  await failing
  expect(query.askedAt).toBe(first)
  void query.fetch(queryFn)
  leave()
  await aTurn()
  expect(query.askedAt).toBe(first)
  expect(query.isStale()).toBe(true)
})

test('only what somebody wants is refetched at once; the rest is stale', async () => {
  const client = new QueryClient()
  let asked = 0
  const queryFn = async () => ++asked
  await client.fetchQuery({ queryKey: key, queryFn })
  client.query({ queryKey: key }).watch({ changed: () => undefined, ask: () => null })
  await client.invalidateQueries()
  expect(asked).toBe(1)
  expect(client.query({ queryKey: key }).isStale(Number.POSITIVE_INFINITY)).toBe(true)
})

test('a failure leaves the answer of before where it is, and is gone with the next answer', async () => {
  const client = new QueryClient()
  const query = client.query<string>({ queryKey: key })
  await query.fetch(async () => 'read')
  await query.fetch(() => Promise.reject(new CallError('unavailable')))
  expect(query.state).toMatchObject({ data: 'read', error: { code: 'unavailable' } })
  expect(query.isStale(), 'asked again when it is next shown').toBe(true)
  await query.fetch(async () => 'read again')
  expect(query.state).toMatchObject({ data: 'read again', error: null })
})

test('what nobody watches any more is given up; who only changes what it watches keeps it', async () => {
  const client = new QueryClient()
  const { queryFn, signals } = byHand<string>()
  const query = client.query<string>({ queryKey: key })
  const watcher = { changed: () => undefined, ask: () => queryFn }
  const leave = query.watch(watcher)
  void query.fetch(queryFn)
  leave()
  const leaveAgain = query.watch(watcher)
  await aTurn()
  expect(signals[0]?.aborted).toBe(false)
  leaveAgain()
  await aTurn()
  expect(signals[0]?.aborted).toBe(true)
  expect(query.state).toMatchObject({ data: undefined, error: null, isFetching: false })
})

test('parts of an answer that say the same stay the same objects', async () => {
  const client = new QueryClient()
  const query = client.query<unknown>({ queryKey: key })
  const answer = (read_at: string) => async () => ({ data: { id: '1', tags: ['a', { b: null }] }, meta: { read_at } })
  await query.fetch(answer('09:00'))
  const before = query.state.data as { data: unknown }
  await query.fetch(answer('10:00'))
  const now = query.state.data as { data: unknown; meta: unknown }
  expect(now.meta).toEqual({ read_at: '10:00' })
  expect(now.data).toBe(before.data)
  await query.fetch(async () => ({ data: { id: '1', tags: ['a'] }, meta: { read_at: '10:00' } }))
  expect(query.state.data).toEqual({ data: { id: '1', tags: ['a'] }, meta: { read_at: '10:00' } })
})

test('what the server read counts only where nothing was read since', async () => {
  const query = new QueryClient().query<string>({ queryKey: key })
  query.give('from the server', Date.now())
  expect(query.isStale()).toBe(false)
  await query.fetch(async () => 'from the browser')
  query.give('from the server', Date.now())
  expect(query.state.data).toBe('from the browser')
})
