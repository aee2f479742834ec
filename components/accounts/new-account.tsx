'use client'

import dynamic from 'next/dynamic'
import { Skeleton } from '@/components/ui/skeleton'
import { QueryProvider } from '@/lib/client/query-provider'

// Only in the browser: its key is minted there.
const NewAccountForm = dynamic(() => import('./new-account-form').then((module) => module.NewAccountForm), {
  ssr: false,
  loading: () => <Skeleton className="mx-auto mt-4 h-[80dvh] max-w-4xl" />,
})

/** The page of a new account; its form brings the schemas, so it comes after the page. */
export const NewAccount = ({ organization }: { organization: string | null }) => (
  <QueryProvider>
    <NewAccountForm organization={organization} />
  </QueryProvider>
)
