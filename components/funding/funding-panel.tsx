'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { FundingDetail } from './funding-detail'
import { fundingNouns } from './funding-nouns'

/** One funding event, read and drawn: beside the list or as its own page. */
export const FundingPanel = (props: PanelProps<'funding_events.get'>) => (
  <RecordPanel {...props} get="funding_events.get" nouns={fundingNouns}>
    {(record) => <FundingDetail key={record.id} {...record} />}
  </RecordPanel>
)
