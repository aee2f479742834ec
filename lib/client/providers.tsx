'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { newQueryClient } from './query-client'

/** What every screen in the browser stands on: the query cache and the URL state. One cache for each page load. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient)
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </QueryClientProvider>
  )
}
