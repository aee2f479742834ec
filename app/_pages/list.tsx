import type { ComponentProps, ReactNode } from 'react'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { List, type TabCounts } from '@/components/kits/list/list'
import { parseView } from '@/components/kits/list/parse-view'
import {
  firstRowParam,
  type ListRead,
  type ListRow,
  type ListSpec,
  type ListTab,
  type ListView,
} from '@/components/kits/list/spec'
import { formatColumns, toRequestFields } from '@/components/kits/list/view'
import { SavedViews } from '@/components/kits/list/views/saved-views'
import { listViews } from '@/lib/features/views/server/saved-views'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { listPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addNamedAccounts } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'
import { type LoadResult, loadCounts, loadForPage } from '@/lib/server/http/read'
import { type PageProps, readPreferences } from './open-page'
import { loadSidePanelRecord } from './record'

type ViewsBarProps = { context: PageContext; spec: ListSpec; view: ListView }

/**
 * Shows the saved views of a list. They are read on the server to avoid a layout shift. If the read
 * fails, this bar shows an error, and the list is not affected.
 */
export async function ViewsBar({ context, spec, view }: ViewsBarProps) {
  const actor = await getCurrentActor()
  const views = actor
    ? await listViews(actor, context.environment, spec.resource).catch(() => null)
    : []
  const columns = view.columns && formatColumns(view.columns)
  // The request log is one of several tabs of its page, so its saved views must contain the tab
  // even if the URL omits it.
  const tab = spec.resource === 'requests' ? view.tab.id : null
  return (
    <SavedViews
      list={spec.resource}
      views={views ?? []}
      failed={views === null}
      tab={tab}
      columns={columns}
    />
  )
}

export type ListId = {
  [K in MirrorListId]: Output<K> extends readonly { id: string }[] ? K : never
}[MirrorListId]

export type ListItem<K extends ListId> = Output<K>[number]

/** The response of a list's operation, or the error that the page shows instead of the rows. */
export type ListResult<K extends ListId> = LoadResult<Output<K>>

/**
 * The parsed URL of a list page. `open` is the row in the side panel: an id, or `firstRowParam` for
 * the first row. Null if the panel is closed.
 */
type ParsedListUrl = { context: PageContext; view: ListView; open: string | null }

/**
 * Parses the URL of a list page and loads the page's context: the person, the environment and the
 * account scope.
 */
export async function openListPage(
  { params, searchParams }: PageProps,
  spec: ListSpec,
): Promise<ParsedListUrl> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(
    environment,
    search,
    listPath(environment, spec.resource, search),
  )
  const { columns } = await readPreferences()
  return {
    context,
    view: parseView(spec, search, { columns: columns[spec.resource] }),
    open: String(search.open ?? '') || null,
  }
}

/**
 * Starts two reads in parallel: the rows of the current tab, and the row counts of the other tabs.
 * Does not validate the URL parameters: the operation's schema does, and the result is then an
 * error that names the invalid parameter.
 */
export function startListReads<K extends ListId>(
  context: PageContext,
  spec: ListSpec<K>,
  view: ListView,
): { reading: Promise<ListResult<K>>; counts: TabCounts } {
  const toSearchInput = (tab?: ListTab) => toRequestFields(spec, view, tab) as Input<K>
  const resultPromise = loadForPage(context, spec.operation, toSearchInput())
  const otherTabs = spec.tabs.filter((tab) => tab.id !== view.tab.id)
  const countsPromise = loadCounts(context, spec.operation, otherTabs.map(toSearchInput))
  const tabCountEntries = otherTabs.map((tab, at) => [
    tab.id,
    countsPromise.then((counted) => counted?.[at] ?? null),
  ])
  return {
    reading: resultPromise,
    counts: {
      ...Object.fromEntries(tabCountEntries),
      [view.tab.id]: resultPromise.then(countMatchingRows),
    },
  }
}

/**
 * Returns the number of rows that match the filters. Includes rows that could not be parsed,
 * because they may match too.
 */
const countMatchingRows = (result: ListResult<ListId>): number | null =>
  result.ok ? (result.meta.total_items ?? 0) + (result.meta.unreadable_rows?.length ?? 0) : null

/**
 * Returns what a list shows: its rows, their number and the time of the read. `names` are the
 * labels of the rows in links to the next record.
 */
export function toListRead<Row extends ListRow>(
  result: Extract<ListResult<ListId>, { ok: true }>,
  rows: readonly Row[],
  rowLabels?: readonly string[],
): ListRead<Row> {
  const {
    unreadable_rows: unreadable = [],
    read_at: readAt = '',
    kept_since: keptSince,
  } = result.meta
  return {
    ok: true,
    rows,
    names: rowLabels,
    unreadable,
    total: countMatchingRows(result),
    readAt,
    keptSince,
  }
}

type ListPageProps<Row extends ListRow> = Omit<
  ComponentProps<typeof List<Row>>,
  'beside' | 'actions' | 'opened'
> & {
  /** The row in the side panel, from the URL: an id, or `firstRowParam` for the first row. */
  open?: string | null
  /** Links to create a record, at the end of the header. */
  children?: ReactNode
}

/** A list page: the list, the side panel with the opened record, and the saved views. */
export async function ListPage<Row extends ListRow>({
  open = null,
  children,
  ...list
}: ListPageProps<Row>) {
  const { context, spec, view, read } = list
  const id = open === firstRowParam && read.ok ? read.rows[0]?.id : open?.toLowerCase()
  const openedRecord =
    list.Split && id && isUuid(id) ? await loadSidePanelRecord(context, spec.resource, id) : null
  const accounts = [
    openedRecord?.knownAccount ?? null,
    ...(read.ok ? read.rows.map(({ account }) => account) : []),
  ]
  return (
    <PageContextProvider context={await addNamedAccounts(context, accounts)}>
      <List<Row>
        {...list}
        opened={openedRecord}
        actions={children}
        beside={<ViewsBar context={context} spec={spec} view={view} />}
      />
    </PageContextProvider>
  )
}
