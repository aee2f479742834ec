'use client'

import dynamic from 'next/dynamic'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { QueryProvider } from '@/lib/client/query-provider'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const OrganizationForm = dynamic(() => import('./organization-form').then((module) => module.OrganizationForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that makes an organization; the form and its schemas come with their own script. */
export const NewOrganization = () => (
  <QueryProvider>
    <OrganizationForm />
  </QueryProvider>
)
