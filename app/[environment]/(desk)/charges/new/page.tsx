import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewPayment } from '@/components/payments/new-payment'

export const metadata: Metadata = { title: 'New charge' }

const page = (props: FormPageProps) =>
  formPage(props, { path: () => '/charges/new', many: 'charges', draw: () => <NewPayment kind="charge" /> })

export default page
