'use client'

import dynamic from 'next/dynamic'
import { RecordPanel } from '@/components/kits/record/record-panel'
import { RecordSkeleton } from '@/components/kits/record/record-skeleton'
import { representativeNouns } from './representative-nouns'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const EditRepresentativeForm = dynamic(() => import('./edit-representative-form').then((module) => module.EditRepresentativeForm), {
  ssr: false,
  loading: () => <RecordSkeleton noun="form" />,
})

/** The page that changes a representative, filled from a reading of now. */
export const EditRepresentative = ({ id }: { id: string }) => (
  <RecordPanel id={id} knownAccount={null} get="representatives.get" nouns={representativeNouns}>
    {(record) => <EditRepresentativeForm key={record.id} {...record} />}
  </RecordPanel>
)
