'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { PayoutDetail } from './payout-detail'
import { payoutNouns } from './payout-nouns'

/** One payout, read and drawn: beside the list or as its own page. */
export const PayoutPanel = (props: PanelProps<'payouts.get'>) => (
  <RecordPanel {...props} get="payouts.get" nouns={payoutNouns}>
    {(record) => <PayoutDetail key={record.id} {...record} />}
  </RecordPanel>
)
