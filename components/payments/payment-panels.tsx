'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { PaymentDetail } from './payment-detail'
import { paymentNouns } from './payment-nouns'

/** One payout, read and drawn: beside the list or as its own page. */
export const PayoutPanel = (props: PanelProps<'payouts.get'>) => (
  <RecordPanel {...props} get="payouts.get" nouns={paymentNouns.payout}>
    {(record) => <PaymentDetail key={record.id} {...record} kind="payout" />}
  </RecordPanel>
)

/** One charge, read and drawn: beside the list or as its own page. */
export const ChargePanel = (props: PanelProps<'charges.get'>) => (
  <RecordPanel {...props} get="charges.get" nouns={paymentNouns.charge}>
    {(record) => <PaymentDetail key={record.id} {...record} kind="charge" />}
  </RecordPanel>
)
