import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewLinked } from '@/components/linked-bank-accounts/new-linked'

export const metadata: Metadata = { title: 'Link a bank account' }

const page = (props: FormPageProps) =>
  formPage(props, { path: () => '/linked-bank-accounts/new', many: 'linked bank accounts', draw: () => <NewLinked /> })

export default page
