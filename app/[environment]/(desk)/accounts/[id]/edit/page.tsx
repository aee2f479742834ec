import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { scopeOf } from '@/components/accounts/account-paths'
import { EditAccount } from '@/components/accounts/edit-account'

export const metadata: Metadata = { title: 'Edit account' }

const page = (props: FormPageProps) =>
  formPage(props, {
    path: (id) => `/accounts/${id}/edit`,
    many: 'accounts',
    accountOf: scopeOf,
    draw: (_desk, id) => <EditAccount id={id} />,
  })

export default page
