'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { representativeNouns } from './representative-nouns'

const EditRepresentativeForm = lateForm(() => import('./edit-representative-form').then((module) => module.EditRepresentativeForm))

/** The page that changes a representative, filled from a reading of now. */
export const EditRepresentative = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="representatives.get" nouns={representativeNouns}>
    {(record) => <EditRepresentativeForm key={record.id} {...record} />}
  </RecordPanel>
)
