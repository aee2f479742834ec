'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { CustomerDetail } from './customer-detail'
import { customerNouns } from './customer-nouns'

/** One customer, read and drawn: beside the list or as its own page. */
export const CustomerPanel = (props: PanelProps<'customers.get'>) => (
  <RecordPanel {...props} get="customers.get" nouns={customerNouns}>
    {(record) => <CustomerDetail key={record.id} {...record} />}
  </RecordPanel>
)
