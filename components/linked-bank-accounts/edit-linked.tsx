'use client'

import dynamic from 'next/dynamic'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { linkedNouns } from './linked-nouns'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const EditLinkedForm = dynamic(() => import('./edit-linked-form').then((module) => module.EditLinkedForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that corrects a linked bank account, filled from a reading of now. */
export const EditLinked = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="linked_bank_accounts.get" nouns={linkedNouns}>
    {(record) => <EditLinkedForm key={record.id} {...record} />}
  </RecordPanel>
)
