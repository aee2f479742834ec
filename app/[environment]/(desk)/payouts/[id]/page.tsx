import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { payoutNouns } from '@/components/payments/payout-nouns'
import { PayoutPanel } from '@/components/payments/payout-panel'

export const metadata: Metadata = { title: 'Payout' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'payouts.get', nouns: payoutNouns, Panel: PayoutPanel })

export default page
