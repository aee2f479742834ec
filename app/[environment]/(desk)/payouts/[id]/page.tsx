import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { paymentNouns } from '@/components/payments/payment-nouns'
import { PayoutPanel } from '@/components/payments/payment-panels'

export const metadata: Metadata = { title: 'Payout' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'payouts.get', nouns: paymentNouns.payout, Panel: PayoutPanel })

export default page
