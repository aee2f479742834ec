import { QueryClient } from '@tanstack/react-query'

/** A query client that leaves resending to the server, which alone knows whether it already tried, and spends no shared rate budget on focus. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: 0, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false, staleTime: 15_000 },
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
