'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { accountNouns } from './account-nouns'
import { scopeOf } from './account-paths'

const EditAccountForm = lateForm(() => import('./edit-account-form').then((module) => module.EditAccountForm))

/** The page that changes an account, filled from a reading of now. */
export const EditAccount = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={scopeOf(id)} get="accounts.get" nouns={accountNouns}>
    {(record) => <EditAccountForm key={record.id} {...record} />}
  </RecordPanel>
)
