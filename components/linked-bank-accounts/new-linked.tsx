'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { QueryProvider } from '@/lib/client/query-provider'

const NewLinkedForm = lateForm(() => import('./new-linked-form').then((module) => module.NewLinkedForm))

/** The page that links a bank account. What is typed for one account never turns up in the form of another. */
export function NewLinked() {
  const { account } = useDesk()
  return (
    <QueryProvider>
      <NewLinkedForm key={account} />
    </QueryProvider>
  )
}
