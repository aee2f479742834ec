import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { EditLinked } from '@/components/linked-bank-accounts/edit-linked'

export const metadata: Metadata = { title: 'Correct a linked bank account' }

const page = (props: FormPageProps) =>
  formPage(props, {
    path: (id) => `/linked-bank-accounts/${id}/edit`,
    many: 'linked bank accounts',
    draw: (_desk, id) => <EditLinked id={id} />,
  })

export default page
