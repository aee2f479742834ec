import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewOrganization } from '@/components/organizations/new-organization'

export const metadata: Metadata = { title: 'New organization' }

const page = (props: FormPageProps) =>
  formPage(props, { path: () => '/organizations/new', many: 'organizations', draw: () => <NewOrganization /> })

export default page
