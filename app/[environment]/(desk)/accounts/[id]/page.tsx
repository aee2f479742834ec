import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { accountNouns } from '@/components/accounts/account-nouns'
import { AccountPanel } from '@/components/accounts/account-panel'

export const metadata: Metadata = { title: 'Account' }

const page = (props: RecordPageProps) => recordPage(props, { get: 'accounts.get', nouns: accountNouns, Panel: AccountPanel })

export default page
