'use client'

import dynamic from 'next/dynamic'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const NewRepresentativeForm = dynamic(() => import('./new-representative-form').then((module) => module.NewRepresentativeForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that adds a representative; the form and its schemas come with their own script. */
export const NewRepresentative = () => (
  <QueryProvider>
    <NewRepresentativeForm />
  </QueryProvider>
)
