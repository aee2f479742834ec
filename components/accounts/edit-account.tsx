'use client'

import dynamic from 'next/dynamic'
import { RecordFailed } from '@/components/kits/record/record-failed'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { type Initial, useRecord } from '@/components/kits/record/use-record'
import { Skeleton } from '@/components/ui/skeleton'
import { QueryProvider } from '@/lib/client/query-provider'
import { accountNouns } from './account-nouns'

// Only in the browser: its key is minted there.
const EditAccountForm = dynamic(() => import('./edit-account-form').then((module) => module.EditAccountForm), {
  ssr: false,
  loading: () => <Skeleton className="mx-auto mt-4 h-[80dvh] max-w-4xl" />,
})

type EditAccountProps = { id: string } & Initial<'accounts.get'>

/** The page that changes an account; its form brings the schemas, so it comes after the page. */
export const EditAccount = (props: EditAccountProps) => (
  <QueryProvider>
    <Edited {...props} />
  </QueryProvider>
)

function Edited({ id, ...initial }: EditAccountProps) {
  const { object, failed } = useRecord('accounts.get', id, initial)
  const again = () => void object.refetch()
  if (failed) return <RecordFailed nouns={accountNouns} id={id} {...failed} onAgain={again} />
  if (!object.data) return <RecordSkeleton noun="account" />
  return <EditAccountForm account={object.data.data} snapshot={object.data.meta.snapshot} onChanged={again} />
}
