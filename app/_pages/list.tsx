import type { ComponentProps, ReactNode } from 'react'
import type * as z from 'zod'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { AwaitingRowsProvider } from '@/components/kits/list/approval-badge'
import { List, type TabCounts } from '@/components/kits/list/list'
import { parseView } from '@/components/kits/list/parse-view'
import {
  firstRowParam,
  type ListRow,
  type ListRowsResult,
  type ListSpec,
  type ListTab,
  type ListViewState,
} from '@/components/kits/list/spec'
import { formatColumns, toRequestFields } from '@/components/kits/list/view'
import { SavedViews } from '@/components/kits/list/views/saved-views'
import { listViews } from '@/lib/features/views/server/saved-views'
import { isUuid } from '@/lib/formats'
import { deletionsFilter } from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import { getSchemas, type Input, type Output } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import { webhooksFilter } from '@/lib/operations/webhooks'
import { listPath } from '@/lib/routes'
import { listTargetsAwaitingApproval } from '@/lib/server/actions/waiting-views'
import { getCurrentActor } from '@/lib/server/auth/session'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'
import { type LoadResult, loadListCounts, loadReadForPage } from '@/lib/server/http/read'
import { type PageProps, readPreferences } from './open-page'
import { loadSidePanelRecord } from './record'

type SavedViewsBarProps = { context: PageContext; spec: ListSpec; view: ListViewState }

/** Saved views are read on the server to avoid a layout shift. The list works without them. */
export async function SavedViewsBar({ context, spec, view }: SavedViewsBarProps) {
  const actor = await getCurrentActor()
  const savedViews = actor
    ? await listViews(actor, context.environment, spec.resource).catch(() => null)
    : []
  const columnsText = view.columns && formatColumns(view.columns)
  // The request log shares its page with other tabs, so its saved views must contain the tab.
  const requestsTabId = spec.resource === 'requests' ? view.tab.id : null
  return (
    <SavedViews
      list={spec.resource}
      views={savedViews ?? []}
      failed={savedViews === null}
      tab={requestsTabId}
      columns={columnsText}
    />
  )
}

export type ListOperationId = {
  [K in MirrorListId]: Output<K> extends readonly { id: string }[] ? K : never
}[MirrorListId]

export type ListItem<K extends ListOperationId> = Output<K>[number]

export type ListResult<K extends ListOperationId> = LoadResult<Output<K>>

/** `open` is the row in the side panel: an id or `firstRowParam` (the first row), or null. */
type PreparedListPage = { context: PageContext; view: ListViewState; open: string | null }

/** The filters of the lists whose rows Paydesk itself stores. */
const deskFilters = { webhooks: webhooksFilter, deletions: deletionsFilter }

function isValidFilter({ operation, resource }: ListSpec, name: string, value: string): boolean {
  const { shape } = operation
    ? getSchemas(operation).input
    : (deskFilters[resource as keyof typeof deskFilters] ?? { shape: {} })
  const field = (shape as Readonly<Record<string, z.ZodType>>)[name]
  return field?.safeParse(value).success ?? true
}

export async function prepareListPage(
  { params, searchParams }: PageProps,
  spec: ListSpec,
): Promise<PreparedListPage> {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(
    environment,
    search,
    listPath(environment, spec.resource, search),
  )
  const { columns } = await readPreferences()
  return {
    context,
    view: parseView(spec, search, {
      columns: columns[spec.resource],
      isValid: (name, value) => isValidFilter(spec, name, value),
    }),
    open: String(search.open ?? '') || null,
  }
}

/**
 * Starts two reads in parallel: the rows of the current tab, and the row counts of the other tabs.
 * The cast of the URL parameters is safe, because each read validates them with the operation's
 * schema.
 */
export function startListReads<K extends ListOperationId>(
  context: PageContext,
  spec: ListSpec<K>,
  view: ListViewState,
): { reading: Promise<ListResult<K>>; counts: TabCounts } {
  const toListInput = (tab?: ListTab) => toRequestFields(spec, view, tab) as Input<K>
  const resultPromise = loadReadForPage(context, spec.operation, toListInput())
  const otherTabs = spec.tabs.filter((tab) => tab.id !== view.tab.id)
  const tabCountsPromise = loadListCounts(context, spec.operation, otherTabs.map(toListInput))
  const tabCountEntries = otherTabs.map((tab, at) => [
    tab.id,
    tabCountsPromise.then((counted) => counted?.[at] ?? null),
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
 * Returns how many rows match the current tab and filters. Rows that could not be parsed are
 * included, because they may match too.
 */
const countMatchingRows = (result: ListResult<ListOperationId>): number | null =>
  result.ok ? (result.meta.total_items ?? 0) + (result.meta.unreadable_rows?.length ?? 0) : null

/** `rowLabels` are the texts that name the rows in links to the next record. */
export function toListRowsResult<Row extends ListRow>(
  result: Extract<ListResult<ListOperationId>, { ok: true }>,
  rows: readonly Row[],
  rowLabels?: readonly string[],
): ListRowsResult<Row> {
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
  open?: string | null
  /** The row's object as in the action log, such as `payouts/<uuid>`. */
  targetOf?: (row: Row) => string
  /** Links to create a record, at the end of the header. */
  children?: ReactNode
}

export async function ListPage<Row extends ListRow>({
  open = null,
  children,
  targetOf,
  ...list
}: ListPageProps<Row>) {
  const { context, spec, view, read } = list
  const toTarget = targetOf ?? (({ id }: Row) => `${spec.resource}/${id}`)
  const rows = read.ok ? read.rows : []
  const awaitingTargets = await listTargetsAwaitingApproval(context.environment, rows.map(toTarget))
  const awaitingRows = rows.filter((row) => awaitingTargets.has(toTarget(row)))
  const openedRecordId = open === firstRowParam && read.ok ? read.rows[0]?.id : open?.toLowerCase()
  const openedRecord =
    list.Split && openedRecordId && isUuid(openedRecordId)
      ? await loadSidePanelRecord(context, spec.resource, openedRecordId)
      : null
  const shownAccountIds = [
    openedRecord?.knownAccount ?? null,
    ...rows.map(({ account }) => account),
  ]
  return (
    <PageContextProvider context={await addAccountsByIds(context, shownAccountIds)}>
      <AwaitingRowsProvider ids={awaitingRows.map(({ id }) => id)}>
        <List<Row>
          {...list}
          opened={openedRecord}
          actions={children}
          beside={<SavedViewsBar context={context} spec={spec} view={view} />}
        />
      </AwaitingRowsProvider>
    </PageContextProvider>
  )
}
