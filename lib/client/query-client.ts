import { QueryClient } from '@tanstack/react-query'

/** A query client that leaves resending to the server, which alone knows whether it already tried, and spends no shared rate budget on focus. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: 0, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false, staleTime: 15_000 },
      mutations: { retry: 0, networkMode: 'always' },
    },
  })

let kept: QueryClient | undefined

/** The one cache of this page load; on the server a new one each time, so that nothing read for one person meets another. */
export function queryClient(): QueryClient {
  if (typeof window === 'undefined') return newQueryClient()
  kept ??= newQueryClient()
  return kept
}
