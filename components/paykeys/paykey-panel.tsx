'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { PaykeyDetail } from './paykey-detail'
import { paykeyNouns } from './paykey-nouns'

/** One paykey, read and drawn: beside the list or as its own page. */
export const PaykeyPanel = (props: PanelProps<'paykeys.get'>) => (
  <RecordPanel {...props} get="paykeys.get" nouns={paykeyNouns}>
    {(record) => <PaykeyDetail key={record.id} {...record} />}
  </RecordPanel>
)
