import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { organizationNouns } from '@/components/organizations/organization-nouns'
import { OrganizationPanel } from '@/components/organizations/organization-panel'

export const metadata: Metadata = { title: 'Organization' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'organizations.get', nouns: organizationNouns, Panel: OrganizationPanel })

export default page
