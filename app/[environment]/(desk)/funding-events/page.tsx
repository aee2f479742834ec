import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { fundingList } from '@/components/funding/funding-list'
import { simulateFundingPath } from '@/components/funding/funding-paths'
import { rowOf } from '@/components/funding/funding-row'
import { FundingSplit, FundingTable } from '@/components/funding/funding-table'
import { buttonVariants } from '@/components/ui/button-variants'

export const metadata: Metadata = { title: 'Funding events' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: fundingList,
    rowOf,
    Table: FundingTable,
    Split: FundingSplit,
    learns: (event) => `funding_events/${event.id}`,
    actions: (desk) =>
      desk.environment === 'sandbox' && (
        <Link href={simulateFundingPath(desk.environment, desk.account)} className={buttonVariants({ size: 'small' })}>
          Simulate funding
        </Link>
      ),
  })

export default page
