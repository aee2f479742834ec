'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { AccountDetail } from './account-detail'
import { accountNouns } from './account-nouns'

/** One account, read and drawn: beside the list or as its own page. */
export const AccountPanel = (props: PanelProps<'accounts.get'>) => (
  <RecordPanel {...props} get="accounts.get" nouns={accountNouns}>
    {(record) => <AccountDetail key={record.id} {...record} />}
  </RecordPanel>
)
