import {
  focusManager,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query'
import type { CallError } from '@/lib/client/call-error'
import { connectionStatus, isSessionOver } from '@/lib/client/connection-status'
import { setPagePersonId } from '@/lib/client/drawn-for'
import type { Environment } from '@/lib/operations/define'
import type { OperationId } from '@/lib/operations/operations'
import { listStaleResources } from '@/lib/operations/query-key'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError
    /**
     * Set by `useOperation`. When the write has settled, the reads of this environment that it made
     * stale are refetched.
     */
    mutationMeta: { environment?: Environment }
  }
}

type ReadsFilter = { predicate: (query: Query) => boolean }

export const createResourceFilter = (
  environment: Environment,
  resources: readonly string[],
): ReadsFilter => ({
  predicate: ({ queryKey }) =>
    queryKey[0] === environment && resources.includes(String(queryKey[2])),
})

export const createStaleReadsFilter = (environment: Environment, id: OperationId): ReadsFilter =>
  createResourceFilter(environment, listStaleResources(id))

/**
 * Cancels pending requests first, because their responses may be older than the change. Resolves
 * when the refetches have settled, also if they failed.
 */
export function invalidateReads(client: QueryClient, filter?: ReadsFilter): Promise<void> {
  // With `silent`, a caller that waits for the canceled refetch gets no error. It waits for the
  // refetch that replaces the canceled one.
  void client.cancelQueries({ ...filter, type: 'active' }, { silent: true, revert: false })
  void client.cancelQueries({ ...filter, type: 'inactive' })
  return client.invalidateQueries(filter)
}

const fetchStartTimes = new WeakMap<object, number>()

/**
 * Returns when the newest fetch of the query started (`performance.now()`). Returns 0 if that fetch
 * failed, or if the server rendered the data.
 */
export const getFetchStartTime = (query: Query): number =>
  query.state.status === 'error' ? 0 : (fetchStartTimes.get(query) ?? 0)

function createQueryClient(): QueryClient {
  /** The session may have ended in another tab, so reads that are not on the screen are removed. */
  const removeUnshownReads = ({ code }: CallError) => {
    if (code === 'unauthenticated' || code === 'other_person')
      client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: removeUnshownReads }),
    mutationCache: new MutationCache({
      onError: removeUnshownReads,
      // Runs after an error too, because only a read shows if the write took effect.
      onSettled: async (_data, _error, variables, _result, { meta }) => {
        if (!meta?.environment) return
        const { operation } = variables as { operation: OperationId }
        await invalidateReads(client, createStaleReadsFilter(meta.environment, operation))
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 5 * 60_000,
        // Only the server retries: it knows if a request was already sent to the service.
        retry: 0,
        networkMode: 'always',
        // Each refetch counts toward the rate limit of the service, which all accounts share.
        refetchOnWindowFocus: false,
        refetchOnReconnect: ({ state }) => (state.error?.local ? 'always' : false),
      },
      mutations: {
        retry: 0,
        // A write that is paused while offline would be sent later without the person's knowledge.
        networkMode: 'always',
        // Inputs and responses may contain personal data, so they are removed from the cache
        // together with the form.
        gcTime: 0,
      },
    },
  })
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch')
      fetchStartTimes.set(event.query, performance.now())
  })
  return client
}

/**
 * After the session has ended, the tab counts as unfocused, because TanStack Query does not poll in
 * an unfocused tab.
 */
if (typeof window !== 'undefined')
  connectionStatus.subscribe(() => focusManager.setFocused(isSessionOver() ? false : undefined))

let browserClient: { person: string | null; client: QueryClient } | undefined

/** In the browser one client per page load and person, on the server one per render. */
export function getQueryClient(person: string | null): QueryClient {
  if (typeof window === 'undefined') return createQueryClient()
  if (browserClient?.person !== person) {
    clearQueries()
    browserClient = { person, client: createQueryClient() }
    setPagePersonId(person)
  }
  return browserClient.client
}

/** For code outside of React. Undefined before the first render. */
export const getCurrentQueryClient = (): QueryClient | undefined => browserClient?.client

export const clearQueries = (): void => browserClient?.client.clear()
