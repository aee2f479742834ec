import type { Metadata } from 'next'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { ColumnChoice } from '@/components/kits/list/column-choice'
import { ExportButton } from '@/components/payments/export-button'
import { exportSearch } from '@/components/payments/export-search'
import { searchList } from '@/components/payments/search-list'
import { searchRowOf } from '@/components/payments/search-row'
import { SearchSplit, SearchTable } from '@/components/payments/search-table'

export const metadata: Metadata = { title: 'Payments' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: searchList,
    rowOf: searchRowOf,
    Table: SearchTable,
    Split: SearchSplit,
    learns: (payment) => (payment.payment_type === 'payout' ? `payouts/${payment.id}` : `charges/${payment.id}`),
    actions: (_, view, read) => (
      <>
        <ColumnChoice spec={searchList} view={view} />
        <ExportButton search={exportSearch(searchList, view)} total={read.ok ? read.total : null} />
      </>
    ),
  })

export default page
