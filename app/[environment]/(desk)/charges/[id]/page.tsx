import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { paymentNouns } from '@/components/payments/payment-nouns'
import { ChargePanel } from '@/components/payments/payment-panels'

export const metadata: Metadata = { title: 'Charge' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'charges.get', nouns: paymentNouns.charge, Panel: ChargePanel })

export default page
