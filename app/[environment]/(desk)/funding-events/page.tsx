import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  prepareListPage,
  startListReads,
  toListRowsResult,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  type FundingRow,
  fundingList,
  simulateFundingPath,
  toFundingRow,
} from '@/components/funding/list/list'
import { FundingSplitView, FundingTable } from '@/components/funding/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import type { ListRowsResult } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import type { PageContext } from '@/lib/operations/page-context'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Funding events' }

/**
 * The service returns funding events without their accounts. Each row gets its account from the
 * `meta` that Paydesk adds to the result.
 */
async function loadFundingEvents(
  context: PageContext,
  resultPromise: Promise<ListResult<'funding_events.list'>>,
): Promise<ListRowsResult<FundingRow>> {
  const listResult = await resultPromise
  if (!listResult.ok) return listResult
  const rowAccounts = listRowAccounts(context, listResult)
  const rows = listResult.data.map((event, at) => toFundingRow(event, rowAccounts[at] ?? null))
  return toListRowsResult(listResult, rows)
}

export default async function FundingEventsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, fundingList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/funding-events" many="funding events" />
  const { reading, counts } = startListReads(context, fundingList, view)
  const fundingRead = await loadFundingEvents(context, reading)
  return (
    <ListPage
      context={context}
      open={open}
      spec={fundingList}
      view={view}
      read={fundingRead}
      counts={counts}
      Table={FundingTable}
      Split={FundingSplitView}
    >
      {context.environment === 'sandbox' && (
        <CreateLink href={simulateFundingPath(context, context.account)}>
          Simulate funding
        </CreateLink>
      )}
    </ListPage>
  )
}
