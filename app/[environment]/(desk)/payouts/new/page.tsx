import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { NewPayment } from '@/components/payments/new-payment'

export const metadata: Metadata = { title: 'New payout' }

const page = (props: FormPageProps) =>
  formPage(props, { path: () => '/payouts/new', many: 'payouts', draw: () => <NewPayment kind="payout" /> })

export default page
