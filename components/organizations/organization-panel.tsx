'use client'

import { type PanelProps, RecordPanel } from '@/components/kits/record/record-panel'
import { OrganizationDetail } from './organization-detail'
import { organizationNouns } from './organization-nouns'

/** One organization, read and drawn: beside the list or as its own page. */
export const OrganizationPanel = (props: PanelProps<'organizations.get'>) => (
  <RecordPanel {...props} get="organizations.get" nouns={organizationNouns}>
    {(record) => <OrganizationDetail key={record.id} {...record} />}
  </RecordPanel>
)
