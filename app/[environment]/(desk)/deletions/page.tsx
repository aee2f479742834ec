import type { Metadata } from 'next'
import { ListPage, prepareListPage } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import { type DeletionRow, deletionList, toDeletionRow } from '@/components/deletions/list/list'
import { DeletionTable } from '@/components/deletions/list/table'
import { CreateLink } from '@/components/kits/list/create-link'
import type { ListRowsResult, ListTab } from '@/components/kits/list/spec'
import { toRequestFields } from '@/components/kits/list/view'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { toNewYorkDate } from '@/lib/dates'
import { type DeletionsReadResult, readDeletions } from '@/lib/features/deletions/server/page'
import { type DeletionView, deletionStates } from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import { listPath } from '@/lib/routes'
import { loadMirrorRows } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Deletions' }

/** Names of the customers with an open request, by customer id. Empty if they cannot be read. */
async function loadCustomerNames(
  context: PageContext,
  requests: readonly DeletionView[],
): Promise<ReadonlyMap<string, string>> {
  const customerIds = requests
    .filter(({ state }) => state === 'requested')
    .map(({ customer_id }) => customer_id)
  const customersRead = await loadMirrorRows(context, 'customers.list', customerIds)
  return new Map(
    customersRead.ok ? customersRead.rows.map(({ id, object }) => [id, object.name]) : [],
  )
}

function countDeletionsInTab(
  read: DeletionsReadResult,
  { query: { state } }: ListTab,
): number | null {
  if (!read.ok) return null
  return deletionStates.reduce(
    (sum, each) => sum + (!state || each === state ? (read.counts[each] ?? 0) : 0),
    0,
  )
}

async function loadDeletionRows(
  context: PageContext,
  read: DeletionsReadResult,
  tab: ListTab,
): Promise<ListRowsResult<DeletionRow>> {
  if (!read.ok) return read
  const namesByCustomerId = await loadCustomerNames(context, read.deletions)
  const rows = read.deletions.map((request) =>
    toDeletionRow(
      request,
      namesByCustomerId.get(request.customer_id) ?? null,
      toNewYorkDate(Date.now()),
    ),
  )
  return {
    ok: true,
    rows,
    unreadable: [],
    total: countDeletionsInTab(read, tab),
    readAt: read.readAt,
  }
}

export default async function DeletionsPage(props: PageProps) {
  const { context, view } = await prepareListPage(props, deletionList)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/deletions" many="deletions" />
  const deletionsRead = await readDeletions(context, toRequestFields(deletionList, view))
  const tabCounts = Object.fromEntries(
    deletionList.tabs.map((tab) => [tab.id, countDeletionsInTab(deletionsRead, tab)]),
  )
  const deletionRowsRead = await loadDeletionRows(context, deletionsRead, view.tab)
  return (
    <ListPage
      context={context}
      spec={deletionList}
      view={view}
      read={deletionRowsRead}
      counts={tabCounts}
      Table={DeletionTable}
      targetOf={({ customerId }) => `customers/${customerId}`}
    >
      {/* A deletion is requested on the customer's page, so the link leads to the customers. */}
      <CreateLink href={listPath(context, 'customers', { tab: 'all' })}>
        Request a deletion
      </CreateLink>
    </ListPage>
  )
}
