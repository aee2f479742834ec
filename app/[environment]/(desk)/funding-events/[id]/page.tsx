import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { fundingNouns } from '@/components/funding/funding-nouns'
import { FundingPanel } from '@/components/funding/funding-panel'

export const metadata: Metadata = { title: 'Funding event' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'funding_events.get', nouns: fundingNouns, Panel: FundingPanel })

export default page
