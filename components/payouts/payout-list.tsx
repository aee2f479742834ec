import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Desk } from '@/lib/client/desk'
import type { WireError } from '@/lib/errors'
import { Dimmed, ListFrame, ListLink, Updating } from './list-frame'
import { PayoutEmpty } from './payout-empty'
import { PayoutFilters } from './payout-filters'
import { PayoutPager } from './payout-pager'
import type { PayoutRow } from './payout-row'
import { PayoutSplit } from './payout-split'
import { PayoutTable } from './payout-table'
import { PayoutTabs, type TabCounts } from './payout-tabs'
import { type FilterName, filterLabels, type PayoutView, viewHref, withoutFilters } from './payout-view'
import { RefreshButton } from './refresh-button'

/** What the server read for the list; an error stands in its place and leaves tabs and filters working. */
export type ListRead =
  | { ok: true; rows: readonly PayoutRow[]; total: number; readAt: string }
  | { ok: false; error: WireError; requestId: string }

type PayoutListProps = { desk: Desk; view: PayoutView; read: ListRead; counts: TabCounts }

/** The payouts of a scope: tabs with counts, filters, rows, and the opened payout beside them. */
export function PayoutList({ desk, view, read, counts }: PayoutListProps) {
  return (
    <ListFrame>
      <div className="-mx-4 -mb-12 flex flex-col lg:-mx-6 lg:h-[calc(100dvh-3.25rem)]">
        <div className="flex h-9 items-end gap-5 border-line border-b px-4 lg:px-6">
          <h1 className="h-9 shrink-0 pt-1.5 font-semibold text-lg">Payouts</h1>
          <PayoutTabs desk={desk} view={view} counts={counts} />
        </div>
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1 lg:px-6">
          <PayoutFilters view={view} />
          <div className="ml-auto flex items-center gap-2 text-ink-3 text-xs">
            <Updating />
            {read.ok && <span>{read.total.toLocaleString('en-US')} payouts</span>}
            {read.ok && <AgeChip at={read.readAt} limit={120_000} what="as of" />}
            <RefreshButton />
          </div>
        </div>
        <PayoutSplit accounts={read.ok ? accountsOf(read.rows) : {}}>
          <Dimmed>
            <ListBody desk={desk} view={view} read={read} />
          </Dimmed>
        </PayoutSplit>
      </div>
    </ListFrame>
  )
}

const accountsOf = (rows: readonly PayoutRow[]) =>
  Object.fromEntries(rows.flatMap((row) => (row.account === null ? [] : [[row.id, row.account]])))

function ListBody({ desk, view, read }: Omit<PayoutListProps, 'counts'>) {
  if (!read.ok) return <ListFailed desk={desk} view={view} read={read} />
  if (read.rows.length === 0) return <PayoutEmpty desk={desk} view={view} total={read.total} />
  return (
    <>
      <PayoutTable rows={read.rows} view={view} caption={`Payouts, ${view.tab.label.toLowerCase()}, page ${view.page}`} />
      <PayoutPager desk={desk} view={view} shown={read.rows.length} total={read.total} />
    </>
  )
}

type ListFailedProps = { desk: Desk; view: PayoutView; read: Extract<ListRead, { ok: false }> }

/** What failed, where the rows would stand. A filter that cannot be read is named as the screen names it. */
function ListFailed({ desk, view, read }: ListFailedProps) {
  const named = read.error.items?.map((item) => ({ ...item, reference: filterLabels[item.reference as FilterName] ?? item.reference }))
  const wrong = read.error.code === 'invalid_input'
  const again = wrong
    ? withoutFilters(desk.environment, desk.account, view, Object.keys(view.filters) as FilterName[])
    : viewHref(desk.environment, desk.account, view, { page: view.page })
  return (
    <ErrorNotice
      className="m-4 max-w-2xl lg:mx-6"
      what={wrong ? 'These filters cannot be used' : 'The payouts could not be read'}
      error={{ ...read.error, items: named, detail: wrong ? read.error.title : read.error.detail }}
      requestId={read.requestId}
      actions={
        <ListLink href={again} className={buttonVariants({ size: 'small' })}>
          {wrong ? 'Clear the filters' : 'Try again'}
        </ListLink>
      }
    />
  )
}
