import type { ComponentType, ReactNode } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Desk } from '@/lib/client/desk'
import type { WireError } from '@/lib/errors'
import { ListEmpty } from './list-empty'
import { ListFilters } from './list-filters'
import { Dimmed, ListFrame, ListLink, Updating } from './list-frame'
import { ListPager } from './list-pager'
import { filterLabels, type ListSpec, type ListView } from './list-spec'
import type { SplitProps } from './list-split'
import { ListTabs, type TabCounts } from './list-tabs'
import { viewHref, withoutFilters } from './list-view'
import { RefreshButton } from './refresh-button'

/** What every row has: its id, and its account (`acct_…`) where it is known or has one. */
export type ListRow = { id: string; account: string | null }

/** What the server read for the list; an error stands in its place and leaves tabs and filters working. */
export type ListRead<Row extends ListRow> =
  | { ok: true; rows: readonly Row[]; total: number; readAt: string }
  | { ok: false; error: WireError; requestId: string }

/** The rows of a list, drawn by its feature. */
export type TableProps<Row extends ListRow> = { rows: readonly Row[]; view: ListView; caption: string }

type ListProps<Row extends ListRow> = {
  desk: Desk
  spec: ListSpec
  view: ListView
  read: ListRead<Row>
  counts: TabCounts
  Table: ComponentType<TableProps<Row>>
  /** Puts the opened row beside the list; see `ListSplit`. */
  Split: ComponentType<SplitProps>
  /** What stands at the end of the head: the way to make a new one, an export. */
  actions?: ReactNode
  /** Beside the filters, for example saved views. */
  beside?: ReactNode
}

/** A list: tabs with counts, filters, rows, and the opened row beside them. */
export function List<Row extends ListRow>(props: ListProps<Row>) {
  const { desk, spec, view, read, counts, Split, actions, beside } = props
  return (
    <ListFrame>
      <div className="-mx-4 -mb-12 flex flex-col lg:-mx-6 lg:h-[calc(100dvh-3.25rem)]">
        <div className="flex h-9 items-end gap-5 border-line border-b px-4 lg:px-6">
          <h1 className="h-9 shrink-0 pt-1.5 font-semibold text-lg">{spec.title}</h1>
          <ListTabs desk={desk} spec={spec} view={view} counts={counts} />
        </div>
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1 lg:px-6">
          <ListFilters spec={spec} view={view} />
          {beside}
          <div className="ml-auto flex flex-wrap items-center gap-2 text-ink-3 text-xs">
            <Updating />
            {read.ok && (
              <span>
                {read.total.toLocaleString('en-US')} {read.total === 1 ? spec.one : spec.many}
              </span>
            )}
            {read.ok && <AgeChip at={read.readAt} limit={120_000} what="as of" />}
            <RefreshButton />
            {actions}
          </div>
        </div>
        <Split accounts={read.ok ? accountsOf(read.rows) : {}}>
          <Dimmed>
            <ListBody {...props} />
          </Dimmed>
        </Split>
      </div>
    </ListFrame>
  )
}

const accountsOf = (rows: readonly ListRow[]) =>
  Object.fromEntries(rows.flatMap((row) => (row.account === null ? [] : [[row.id, row.account]])))

function ListBody<Row extends ListRow>({ desk, spec, view, read, Table, actions }: ListProps<Row>) {
  if (!read.ok) return <ListFailed desk={desk} spec={spec} view={view} read={read} />
  if (read.rows.length === 0) return <ListEmpty desk={desk} spec={spec} view={view} total={read.total} create={actions} />
  return (
    <>
      <Table rows={read.rows} view={view} caption={`${spec.title}, ${view.tab.label.toLowerCase()}, page ${view.page}`} />
      <ListPager desk={desk} spec={spec} view={view} shown={read.rows.length} total={read.total} />
    </>
  )
}

type ListFailedProps = Pick<ListProps<ListRow>, 'desk' | 'spec' | 'view'> & { read: Extract<ListRead<ListRow>, { ok: false }> }

/** What failed, where the rows would stand. A filter that cannot be read is named as the screen names it. */
function ListFailed({ desk, spec, view, read }: ListFailedProps) {
  const labels = filterLabels(spec)
  const named = read.error.items?.map((item) => ({ ...item, reference: labels[item.reference] ?? item.reference }))
  const wrong = read.error.code === 'invalid_input'
  const again = wrong ? withoutFilters(spec, desk, view, Object.keys(view.filters)) : viewHref(spec, desk, view, { page: view.page })
  return (
    <ErrorNotice
      className="m-4 max-w-2xl lg:mx-6"
      what={wrong ? 'These filters cannot be used' : `The ${spec.many} could not be read`}
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
