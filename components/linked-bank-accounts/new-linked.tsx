'use client'

import dynamic from 'next/dynamic'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const NewLinkedForm = dynamic(() => import('./new-linked-form').then((module) => module.NewLinkedForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that links a bank account; the form and its schemas come with their own script. */
export const NewLinked = () => (
  <QueryProvider>
    <NewLinkedForm />
  </QueryProvider>
)
