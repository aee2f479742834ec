'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { queryClient } from './query-client'

/** The query cache for a part of the screen. All parts share the one cache of the page load. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** What every screen in the browser stands on: the query cache and the URL state. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <QueryProvider>
    <NuqsAdapter>{children}</NuqsAdapter>
  </QueryProvider>
)
