import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { linkedNouns } from '@/components/linked-bank-accounts/linked-nouns'
import { LinkedPanel } from '@/components/linked-bank-accounts/linked-panel'

export const metadata: Metadata = { title: 'Linked bank account' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'linked_bank_accounts.get', nouns: linkedNouns, Panel: LinkedPanel })

export default page
