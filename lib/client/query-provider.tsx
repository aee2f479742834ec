'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryClient } from './query-client'

/**
 * The query cache for a part of the screen. All parts share the one cache of the page load; a part brings it along when it is first drawn, so
 * that a list does not load it before a row is opened.
 */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
