'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { QueryProvider } from '@/lib/client/query-provider'

const NewRepresentativeForm = lateForm(() => import('./new-representative-form').then((module) => module.NewRepresentativeForm))

/** The page that adds a representative. What is typed for one account never turns up in the form of another. */
export function NewRepresentative() {
  const { account } = useDesk()
  return (
    <QueryProvider>
      <NewRepresentativeForm key={account} />
    </QueryProvider>
  )
}
