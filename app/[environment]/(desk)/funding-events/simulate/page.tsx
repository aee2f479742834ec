import type { Metadata } from 'next'
import { type FormPageProps, formPage } from '@/app/_pages/form-page'
import { SimulateFunding } from '@/components/funding/simulate-funding'

export const metadata: Metadata = { title: 'Simulate funding' }

const page = (props: FormPageProps) =>
  formPage(props, {
    path: () => '/funding-events/simulate',
    many: 'funding events',
    only: 'sandbox',
    draw: () => <SimulateFunding />,
  })

export default page
