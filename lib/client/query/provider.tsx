'use client'

import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, use, useState } from 'react'
import { getQueryClient } from './client'

// The bundler removes the devtools from a production build.
const Devtools =
  process.env.NODE_ENV === 'development'
    ? dynamic(
        () =>
          import('@tanstack/react-query-devtools').then(
            ({ ReactQueryDevtools }) => ReactQueryDevtools,
          ),
        { ssr: false },
      )
    : null

type QueryProviderProps = {
  /** The id of the signed-in person; null before sign-in. */
  person: string | null
  children: ReactNode
}

/** For another person, React mounts the children again, so that they show no data of the first. */
export const QueryProvider = ({ person, children }: QueryProviderProps) => (
  <PersonQueryProvider key={person} person={person}>
    {children}
  </PersonQueryProvider>
)

function PersonQueryProvider({ person, children }: QueryProviderProps) {
  const [client] = useState(() => getQueryClient(person))
  // The layout and each page have a provider. Only the outer one shows the devtools.
  const isOutermost = use(QueryClientContext) === undefined
  return (
    <QueryClientProvider client={client}>
      {children}
      {Devtools && isOutermost && <Devtools />}
    </QueryClientProvider>
  )
}
