import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewAccount } from '@/components/accounts/new-account'

export const metadata: Metadata = { title: 'New account' }

const page = (props: FormPageProps) =>
  formPage(props, {
    path: () => '/accounts/new',
    many: 'accounts',
    draw: (_desk, _id, { organization }) => <NewAccount organization={typeof organization === 'string' ? organization : null} />,
  })

export default page
