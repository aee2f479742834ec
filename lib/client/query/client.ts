import { focusManager, MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import type { CallError } from '@/lib/client/call-error'
import { connectionStatus, isSessionOver } from '@/lib/client/connection-status'
import { setDrawnFor } from '@/lib/client/drawn-for'
import type { Environment } from '@/lib/operations/define'
import type { OperationId } from '@/lib/operations/operations'
import { staleResources } from '@/lib/operations/query-key'

declare module '@tanstack/react-query' {
  interface Register {
    /** Every query and mutation function rejects with a CallError. */
    defaultError: CallError
    /** Set by `useOperation`: the reads of this environment are stale after the operation in the variables. */
    mutationMeta: { environment?: Environment }
  }
}

type Filter = { predicate: (query: Query) => boolean }

/** The reads of an environment that are stale after an operation. */
export const staleAfter = (environment: Environment, id: OperationId): Filter => {
  const resources = staleResources(id)
  return { predicate: ({ queryKey }) => queryKey[0] === environment && resources.includes(String(queryKey[2])) }
}

/**
 * Marks reads as stale and refetches those on the screen. Requests under way are canceled first: their responses may be older than the
 * change. Resolves when the refetches have settled, whatever their outcome.
 */
export function invalidate(client: QueryClient, filter?: Filter): Promise<void> {
  // Silent: a caller that waits for the canceled refetch then waits for the one that replaces it.
  void client.cancelQueries({ ...filter, type: 'active' }, { silent: true, revert: false })
  void client.cancelQueries({ ...filter, type: 'inactive' })
  return client.invalidateQueries(filter)
}

const fetchStarts = new WeakMap<object, number>()

/** Returns the start of a query's newest fetch (`performance.now()`); 0 if the fetch failed or the data came with the page. */
export const fetchStartedAt = (query: Query): number => (query.state.status === 'error' ? 0 : (fetchStarts.get(query) ?? 0))

function createQueryClient(): QueryClient {
  /** Drops reads that are not on the screen after a sign-out in another tab. */
  const dropHidden = ({ code }: CallError) => {
    if (code === 'unauthenticated') client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: dropHidden }),
    mutationCache: new MutationCache({
      onError: dropHidden,
      // After an error as well: only a read shows the effect of the write.
      onSettled: async (_data, _error, variables, _result, { meta }) => {
        if (!meta?.environment) return
        const { operation } = variables as { operation: OperationId }
        await invalidate(client, staleAfter(meta.environment, operation))
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        // The server retries: only it can tell if a request was already sent.
        retry: 0,
        networkMode: 'always',
        // A refetch spends the rate limit that all accounts share.
        refetchOnWindowFocus: false,
        refetchOnReconnect: ({ state }) => (state.error?.local ? 'always' : false),
      },
      mutations: {
        retry: 0,
        // A write that is paused while offline would be sent later, without the person's knowledge.
        networkMode: 'always',
        // Inputs and responses may hold personal data: the cache keeps them no longer than the form.
        gcTime: 0,
      },
    },
  })
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch') fetchStarts.set(event.query, performance.now())
  })
  return client
}

/** Stops reads with a `refetchInterval` while the session is over, as TanStack Query does for a hidden tab. */
if (typeof window !== 'undefined') connectionStatus.subscribe(() => focusManager.setFocused(isSessionOver() ? false : undefined))

let current: { person: string | null; client: QueryClient } | undefined

/**
 * Returns the query client of a person (null before sign-in). In the browser it lives as long as the page load, and another person gets a
 * new one. On the server every render gets its own.
 */
export function queryClientOf(person: string | null): QueryClient {
  if (typeof window === 'undefined') return createQueryClient()
  if (current?.person !== person) {
    clearQueries()
    current = { person, client: createQueryClient() }
    setDrawnFor(person)
  }
  return current.client
}

/** The query client of the person on this page, for code outside of React. Undefined before the first render. */
export const currentQueryClient = (): QueryClient | undefined => current?.client

/** Empties the cache of this page, for example at sign-out. */
export const clearQueries = (): void => current?.client.clear()
