'use client'

import dynamic from 'next/dynamic'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const SimulateFundingForm = dynamic(() => import('./simulate-funding-form').then((module) => module.SimulateFundingForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that simulates funding; the form and its schemas come with their own script. */
export const SimulateFunding = () => (
  <QueryProvider>
    <SimulateFundingForm />
  </QueryProvider>
)
