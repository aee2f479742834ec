import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { paykeyNouns } from '@/components/paykeys/paykey-nouns'
import { PaykeyPanel } from '@/components/paykeys/paykey-panel'

export const metadata: Metadata = { title: 'Paykey' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'paykeys.get', nouns: paykeyNouns, Panel: PaykeyPanel })

export default page
