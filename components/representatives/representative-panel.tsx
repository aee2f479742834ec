'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { RepresentativeDetail } from './representative-detail'
import { representativeNouns } from './representative-nouns'

/** One representative, read and drawn: beside the list or as its own page. */
export const RepresentativePanel = (props: PanelProps<'representatives.get'>) => (
  <RecordPanel {...props} get="representatives.get" nouns={representativeNouns}>
    {(record) => <RepresentativeDetail key={record.id} {...record} />}
  </RecordPanel>
)
