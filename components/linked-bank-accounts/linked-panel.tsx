'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { LinkedDetail } from './linked-detail'
import { linkedNouns } from './linked-nouns'

/** One linked bank account, read and drawn: beside the list or as its own page. */
export const LinkedPanel = (props: PanelProps<'linked_bank_accounts.get'>) => (
  <RecordPanel {...props} get="linked_bank_accounts.get" nouns={linkedNouns}>
    {(record) => <LinkedDetail key={record.id} {...record} />}
  </RecordPanel>
)
