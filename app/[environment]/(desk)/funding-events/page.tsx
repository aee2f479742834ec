import type { Metadata } from 'next'
import {
  ListPage,
  type ListResult,
  openListPage,
  startListReads,
  toListRead,
} from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import {
  type FundingRow,
  fundingList,
  simulateFundingPath,
  toFundingRow,
} from '@/components/funding/list/list'
import { FundingSplit, FundingTable } from '@/components/funding/list/table'
import { Link } from '@/components/kits/layout/link'
import type { ListRead } from '@/components/kits/list/spec'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { buttonVariants } from '@/components/ui/button-variants'
import type { PageContext } from '@/lib/operations/page-context'
import { listRowAccounts } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Funding events' }

/**
 * Waits for the response and converts its funding events to table rows. The service returns no
 * account in a funding event, so each row gets its account from the response's `meta`.
 */
async function loadFundingEvents(
  context: PageContext,
  resultPromise: Promise<ListResult<'funding_events.list'>>,
): Promise<ListRead<FundingRow>> {
  const result = await resultPromise
  if (!result.ok) return result
  const accounts = listRowAccounts(context, result)
  const rows = result.data.map((event, at) => toFundingRow(event, accounts[at] ?? null))
  return toListRead(result, rows)
}

export default async function FundingEventsPage(props: PageProps) {
  const { context, view, open } = await openListPage(props, fundingList)
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
      Split={FundingSplit}
    >
      {context.environment === 'sandbox' && (
        <Link
          href={simulateFundingPath(context, context.account)}
          className={buttonVariants({ size: 'small' })}
        >
          Simulate funding
        </Link>
      )}
    </ListPage>
  )
}
