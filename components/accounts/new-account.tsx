'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { QueryProvider } from '@/lib/client/query-provider'

const NewAccountForm = lateForm(() => import('./new-account-form').then((module) => module.NewAccountForm))

/** The page of a new account. */
export const NewAccount = ({ organization }: { organization: string | null }) => (
  <QueryProvider>
    <NewAccountForm organization={organization} />
  </QueryProvider>
)
