'use client'

import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, use, useState } from 'react'
import { getQueryClient } from './client'

// The bundler removes the devtools from a production build.
const Devtools =
  process.env.NODE_ENV === 'development'
    ? dynamic(() => import('@tanstack/react-query-devtools').then(({ ReactQueryDevtools }) => ReactQueryDevtools), { ssr: false })
    : null

type QueryProviderProps = {
  /** The id of the signed-in person; null before sign-in. */
  person: string | null
  children: ReactNode
}

/** Provides the query client of a person. For another person, everything below is mounted again, so that it shows no data of the first. */
export const QueryProvider = ({ person, children }: QueryProviderProps) => (
  <PersonQueries key={person} person={person}>
    {children}
  </PersonQueries>
)

function PersonQueries({ person, children }: QueryProviderProps) {
  const [client] = useState(() => getQueryClient(person))
  // True in the shell. The pages have a provider too, which is inside the shell's.
  const isOutermost = use(QueryClientContext) === undefined
  return (
    <QueryClientProvider client={client}>
      {children}
      {Devtools && isOutermost && <Devtools />}
    </QueryClientProvider>
  )
}
