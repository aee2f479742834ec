import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { customerNouns } from '@/components/customers/customer-nouns'
import { CustomerPanel } from '@/components/customers/customer-panel'

export const metadata: Metadata = { title: 'Customer' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'customers.get', nouns: customerNouns, Panel: CustomerPanel })

export default page
