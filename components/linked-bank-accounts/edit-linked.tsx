'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { linkedNouns } from './linked-nouns'

const EditLinkedForm = lateForm(() => import('./edit-linked-form').then((module) => module.EditLinkedForm))

/** The page that corrects a linked bank account, filled from a reading of now. */
export const EditLinked = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="linked_bank_accounts.get" nouns={linkedNouns}>
    {(record) => <EditLinkedForm key={record.id} {...record} />}
  </RecordPanel>
)
