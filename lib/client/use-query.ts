'use client'

import {
  createContext,
  createElement,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { CallError } from './call-error'
import { nameOfKey, type Query, type QueryClient, type QueryOptions, queryClient } from './query-client'

const ClientContext = createContext<QueryClient | null>(null)

/**
 * The readings for a part of the screen. All parts share those of the page load; a part brings them along when it is first drawn, so that a list
 * does not load what reads before a row is opened.
 */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient)
  return createElement(ClientContext, { value: client }, children)
}

/** Whether readings inside are held back. */
export const QueriesPaused = createContext(false)

export type UseQueryOptions<T> = QueryOptions<T> & {
  /** False where it is not to be asked now. */
  enabled?: boolean
  /** What the server read, and when (epoch milliseconds; now where that is left out). */
  initialData?: T | undefined
  initialDataUpdatedAt?: number | undefined
  /** Milliseconds from one answer to the next question, while the page is in sight. */
  refetchInterval?: number | false | ((query: Query<T>) => number | false)
}

type Came<T> =
  | { isPending: true; data: undefined; error: null }
  | { isPending: false; data: T; error: CallError | null }
  | { isPending: false; data: undefined; error: CallError }

/** A reading as a component shows it; pending while neither an answer nor a failure came. */
export type QueryResult<T> = Came<T> & {
  isFetching: boolean
  isError: boolean
  /** Asks now, and gives up what is being asked. */
  refetch: () => Promise<void>
}

/** Options of a reading, with the type of what is read; `CallError` is what any of ours throws. */
export const queryOptions = <T>(options: QueryOptions<T>): QueryOptions<T> => options

/** The readings of the page load. Throws outside of a `QueryProvider`. */
export function useQueryClient(): QueryClient {
  const client = use(ClientContext)
  if (!client) throw new Error('A reading needs a QueryProvider around it')
  return client
}

const never = () => () => {}

/** Shows several readings, and asks those that are stale when they are first shown. */
export function useQueries<T>(options: readonly UseQueryOptions<T>[]): QueryResult<T>[] {
  const client = useQueryClient()
  const held = use(QueriesPaused)
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  // A part that React takes over late is drawn as the server drew it first, whatever came meanwhile.
  const isTakenOver = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const names = options.map(({ queryKey }) => nameOfKey(queryKey)).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say when they are others
  const queries = useMemo(() => options.map((each) => client.query<T>(each)), [client, names])
  const drawn = queries.map((query, at) => {
    const { initialData, initialDataUpdatedAt } = optionsAt(at)
    if (initialData !== undefined) query.give(initialData, initialDataUpdatedAt ?? Date.now())
    return isTakenOver ? query.state : { ...query.state, data: query.given, error: null, isFetching: false }
  })
  function optionsAt(at: number): UseQueryOptions<T> {
    return options[at] as UseQueryOptions<T>
  }
  const asksNow = options.map(({ enabled = true }) => enabled && !held)
  const latest = useRef({ optionsAt, drawn })
  useEffect(() => {
    latest.current = { optionsAt, drawn }
  })
  useEffect(() => {
    if (held) return
    const ask = (at: number) => {
      const { enabled = true, queryFn } = latest.current.optionsAt(at)
      return enabled ? queryFn : null
    }
    const leave = queries.map((query, at) => query.watch({ changed: redraw, ask: () => ask(at) }))
    // What came between drawing and watching.
    if (queries.some(({ state }, at) => state !== latest.current.drawn[at])) redraw()
    return () => {
      for (const each of leave) each()
    }
  }, [held, queries])
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when it is first shown and when it may be asked again, not each time it is drawn
  useEffect(() => {
    queries.forEach((query, at) => {
      const { queryFn, staleTime } = optionsAt(at)
      if (asksNow[at] && query.isStale(staleTime)) void query.fetch(queryFn)
    })
  }, [asksNow.join(), queries])
  return queries.map((query, at) => {
    const { data, error, isFetching } = drawn[at] ?? query.state
    const isPending = data === undefined && error === null
    return {
      ...({ isPending, data, error } as Came<T>),
      // Said before it begins, so that nothing is drawn in between that says otherwise.
      isFetching: isFetching || (isPending && asksNow[at] === true),
      isError: error !== null,
      refetch: () => query.fetch(optionsAt(at).queryFn, true),
    }
  })
}

/** Shows one reading; see `useQueries`. */
export function useQuery<T>(options: UseQueryOptions<T>): QueryResult<T> {
  const { enabled = true, refetchInterval = false } = options
  const client = useQueryClient()
  const held = use(QueriesPaused)
  const [result] = useQueries([options])
  const query = client.query<T>(options)
  const wait = enabled && !held && (typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval)
  const { updatedAt, error } = query.state
  const ask = useEffectEvent(() => void query.fetch(options.queryFn))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it counts from what came last
  useEffect(() => {
    if (!wait) return
    const timer = setInterval(() => document.visibilityState !== 'hidden' && ask(), wait)
    return () => clearInterval(timer)
  }, [wait, query, updatedAt, error])
  return result as QueryResult<T>
}
