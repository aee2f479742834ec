import { asCallError, type CallError } from './call-error'

/**
 * How something is asked; who takes the signal has the question given up once nobody wants it. `show` takes what is shown until the answer comes, where
 * nothing is.
 */
export type QueryFn<T> = (asked: { signal: AbortSignal; show?: ((data: T) => void) | undefined }) => Promise<T>

/** What is read: its key, and how it is asked. `staleTime`: how long an answer is believed, milliseconds. */
export type QueryOptions<T> = {
  queryKey: readonly unknown[]
  queryFn: QueryFn<T>
  staleTime?: number
}

/** What is known of a reading: the last answer that came, and why the last attempt failed; `updatedAt` is the answer's, in epoch milliseconds. */
type QueryState<T> = {
  data: T | undefined
  error: CallError | null
  isFetching: boolean
  isInvalidated: boolean
  updatedAt: number
  /** How many answers came. */
  dataUpdateCount: number
}

/** Somebody a reading is shown to. `ask` gives how it is asked, or null where it is not to be asked now. */
type Watcher = { changed: () => void; ask: () => QueryFn<unknown> | null }

/** A screen that is left for a moment finds its readings again. */
const keptFor = 5 * 60_000
const believedFor = 15_000

/**
 * One reading and those it is shown to. It leaves resending to the server, which alone knows whether it already tried, and spends no shared rate
 * budget on a glance: it asks when a watcher comes, when it was made stale, and when a person asks.
 */
export class Query<T = unknown> {
  state: QueryState<T> = { data: undefined, error: null, isFetching: false, isInvalidated: false, updatedAt: 0, dataUpdateCount: 0 }
  /** What the server read of it. */
  given: T | undefined
  readonly watchers = new Set<Watcher>()
  #reading: { abort: AbortController; heeded: boolean; done: Promise<void>; at: number } | undefined
  #askedAt = 0
  #leaving: ReturnType<typeof setTimeout> | undefined
  readonly #forget: () => void

  constructor(
    readonly queryKey: readonly unknown[],
    forget: () => void,
  ) {
    this.#forget = forget
    this.#leave()
  }

  /** How it is asked for somebody who wants it asked; null where nobody does. */
  get wanted(): QueryFn<unknown> | null {
    for (const { ask } of this.watchers) if (ask()) return ask()
    return null
  }

  /** When what is shown, or is about to be, was asked for (`performance.now()`); 0 for what was read elsewhere. */
  get askedAt(): number {
    return this.#reading?.at ?? this.#askedAt
  }

  /** An answer that was read elsewhere; counts only where there is none yet. */
  give(data: T, updatedAt: number): void {
    this.given ??= data
    if (this.state.data === undefined) this.state = { ...this.state, data, updatedAt, error: null }
  }

  /** Whether it would be asked for somebody who comes now. */
  isStale(staleTime = believedFor): boolean {
    const { data, isInvalidated, updatedAt } = this.state
    return data === undefined || isInvalidated || Date.now() - updatedAt >= staleTime
  }

  /** Says that what is known is no longer true. */
  invalidate(): void {
    this.#set({ isInvalidated: true })
  }

  /** Asks, or waits for what is being asked; `again` aborts that, because it may be older than what is wanted. Never rejects: see `state`. */
  async fetch(queryFn: QueryFn<T>, again = false): Promise<void> {
    if (!this.#reading || again) this.#ask(queryFn)
    // Whoever waits, waits for the last that was asked.
    while (this.#reading) await this.#reading.done
  }

  /** Shows it to somebody until the function that comes back is called. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher)
    clearTimeout(this.#leaving)
    return () => {
      this.watchers.delete(watcher)
      // Who only changes what else it watches is back before this runs.
      queueMicrotask(() => this.watchers.size === 0 && this.#leave())
    }
  }

  #ask(queryFn: QueryFn<T>): void {
    this.#reading?.abort.abort()
    const abort = new AbortController()
    const show = (data: T) => this.state.data ?? this.#set({ data })
    const asked = {
      get signal() {
        reading.heeded = true
        return abort.signal
      },
      show: this.state.data ? undefined : show,
    }
    const settle = (state: Partial<QueryState<T>>) => {
      if (this.#reading !== reading) return
      this.#reading = undefined
      if (!state.error) this.#askedAt = reading.at
      this.#set({ isFetching: false, ...state })
    }
    const reading = { abort, heeded: false, done: Promise.resolve(), at: performance.now() }
    this.#reading = reading
    this.#set({ isFetching: true, ...(this.state.data === undefined && { error: null }) })
    reading.done = (async () => queryFn(asked))().then(
      (data) =>
        settle({
          data: kept(this.state.data, data) as T,
          error: null,
          isInvalidated: false,
          updatedAt: Date.now(),
          dataUpdateCount: this.state.dataUpdateCount + 1,
        }),
      (cause: unknown) => settle({ error: asCallError(cause), isInvalidated: true }),
    )
  }

  #leave(): void {
    if (this.#reading?.heeded) {
      this.#reading.abort.abort()
      this.#reading = undefined
      this.#set({ isFetching: false, isInvalidated: true })
    }
    if (typeof window !== 'undefined') this.#leaving = setTimeout(this.#forget, keptFor)
  }

  #set(state: Partial<QueryState<T>>): void {
    this.state = { ...this.state, ...state }
    for (const { changed } of this.watchers) changed()
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The new answer, with each part of the old one that says the same, so that what hangs on a part is not done again. */
function kept(before: unknown, now: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(now)) {
    const parts = now.map((part, at) => kept(before[at], part))
    return parts.length === before.length && parts.every((part, at) => part === before[at]) ? before : parts
  }
  return isPlain(before) && isPlain(now) ? keptObject(before, now) : now
}

function keptObject(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(now).map(([name, part]) => [name, kept(before[name], part)] as const)
  const isSame = parts.length === Object.keys(before).length && parts.every(([name, part]) => name in before && part === before[name])
  return isSame ? before : Object.fromEntries(parts)
}

/** Equal for keys that say the same, in whatever order their members are. */
export const nameOfKey = (key: readonly unknown[]): string =>
  JSON.stringify(key, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )

type Filter = { predicate?: (query: Query) => boolean }

/** All readings of a page load, by their keys. */
export class QueryClient {
  readonly #queries = new Map<string, Query>()

  /** The reading of a key, made where there is none. */
  query<T>({ queryKey }: Pick<QueryOptions<T>, 'queryKey'>): Query<T> {
    const name = nameOfKey(queryKey)
    const known = this.#queries.get(name)
    if (known) return known as Query<T>
    const query = new Query<T>(queryKey, () => this.#queries.delete(name))
    this.#queries.set(name, query as unknown as Query)
    return query
  }

  /** An answer that is believed, read if need be. Rejects with the `CallError` of a reading that failed. */
  async fetchQuery<T>(options: QueryOptions<T>): Promise<T> {
    const query = this.query(options)
    if (query.isStale(options.staleTime)) await query.fetch(options.queryFn)
    const { data, error } = query.state
    if (data === undefined || error) throw error ?? new Error('Loading was canceled.')
    return data as T
  }

  /** Makes readings stale and refetches those that are shown; settles when they were, whatever the outcome. */
  async invalidateQueries(filter: Filter = {}): Promise<void> {
    const asked = this.findAll(filter).map((query) => {
      query.invalidate()
      const ask = query.wanted
      return ask && query.fetch(ask, true)
    })
    await Promise.all(asked)
  }

  /** Reads what is shown and got no answer for want of a connection. */
  askAgain(): void {
    for (const query of this.findAll({ predicate: ({ state }) => state.error?.local === true })) {
      const ask = query.wanted
      if (ask) void query.fetch(ask)
    }
  }

  /** Every reading, or those that fit. */
  findAll({ predicate = () => true }: Filter = {}): Query[] {
    return [...this.#queries.values()].filter(predicate)
  }

  /** Forgets what is not shown. */
  removeInactive(): void {
    for (const query of this.findAll()) if (!query.wanted) this.#queries.delete(nameOfKey(query.queryKey))
  }

  /** Forgets everything. */
  clear(): void {
    this.#queries.clear()
  }
}

let ofThisPage: QueryClient | undefined

/** The one of this page load; on the server a new one each time, so that nothing read for one person meets another. */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return new QueryClient()
  if (ofThisPage) return ofThisPage
  const client = new QueryClient()
  addEventListener('online', () => client.askAgain())
  ofThisPage = client
  return client
}
