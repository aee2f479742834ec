import type { ComponentType, ReactNode } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { ListFilters } from '@/components/kits/list/filters/filters'
import { ListTools } from '@/components/kits/list/filters/tools'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Boundary } from '@/components/ui/boundary'
import { buttonVariants } from '@/components/ui/button-variants'
import { getTabLinkClasses, TabCount } from '@/components/ui/tab-links'
import type { PageContext } from '@/lib/client/page-context'
import { toCountText } from '@/lib/operations/list-count'
import { ListBar, listClasses } from './bar'
import { ListChips } from './chips'
import { ListEmpty } from './empty'
import { DimmedWhileLoading, ListFrame, ListLink, RefreshListButton, UpdatingText } from './frame'
import { toListExport } from './list-export'
import { toRecordQueue } from './list-queue'
import { OpenRowProvider } from './open-row'
import { ListPager, RetentionNote } from './pager'
import { PendingChangesStatus } from './pending-changes'
import type { ListRow, ListRowsResult, ListSpec, ListViewState } from './spec'
import type { SplitViewProps } from './split'
import { toViewHref } from './view'

/** Row count of each tab; null if the count failed. The counts are streamed after the rows. */
export type TabCounts = Readonly<Record<string, number | null | Promise<number | null>>>

const ListTabLinks = ({
  context,
  spec,
  view,
  counts,
}: {
  context: PageContext
  spec: ListSpec
  view: ListViewState
  counts: TabCounts
}) =>
  spec.tabs.map((tab) => (
    <ListLink
      key={tab.id}
      href={toViewHref(spec, context, view, { tab })}
      aria-current={tab.id === view.tab.id ? 'page' : undefined}
      className={getTabLinkClasses(tab.id === view.tab.id)}
    >
      {tab.label}
      <Boundary fallback={null}>
        <TabCountText count={counts[tab.id]} />
      </Boundary>
    </ListLink>
  ))

async function TabCountText({ count }: { count: TabCounts[string] | undefined }) {
  const resolvedCount = await count
  return resolvedCount === undefined || resolvedCount === 0 ? null : (
    <TabCount>{resolvedCount === null ? '?' : toCountText(resolvedCount)}</TabCount>
  )
}

export type TableProps<Row extends ListRow> = {
  rows: readonly Row[]
  view: ListViewState
  caption: string
}

type ListProps<Row extends ListRow> = {
  context: PageContext
  spec: ListSpec
  view: ListViewState
  read: ListRowsResult<Row>
  counts: TabCounts
  Table: ComponentType<TableProps<Row>>
  /** Shows the open row beside the list. Undefined if rows open on their own page only. */
  Split?: ComponentType<SplitViewProps>
  opened?: SplitViewProps['opened']
  actions?: ReactNode
  beside?: ReactNode
}

export function List<Row extends ListRow>(props: ListProps<Row>) {
  const { context, spec, view, read, counts, Split, opened = null, actions, beside } = props
  const listBody = (
    <DimmedWhileLoading>
      <ListBody {...props} />
    </DimmedWhileLoading>
  )
  return (
    <ListFrame follows={[spec.resource]}>
      <div data-fits="wide" className={listClasses}>
        <ListBar
          title={spec.title}
          tabs={
            spec.tabs.length > 1
              ? {
                  label: 'Statuses',
                  links: <ListTabLinks context={context} spec={spec} view={view} counts={counts} />,
                }
              : undefined
          }
          actions={actions}
          filters={<ListFilters spec={spec} view={view} />}
          views={beside}
          status={
            <>
              <UpdatingText />
              {read.ok && (
                <PendingChangesStatus>{formatTotal(spec, read.total)}</PendingChangesStatus>
              )}
              {read.ok && <AgeChip at={read.readAt} limit={120_000} what="as of" />}
            </>
          }
          tools={
            <>
              <RefreshListButton />
              <ListTools spec={spec} view={view} exported={toListExport(spec, view, read)} />
            </>
          }
          chips={<ListChips spec={spec} view={view} />}
        />
        <OpenRowProvider
          first={read.ok ? (read.rows[0]?.id ?? null) : null}
          beside={Split !== undefined}
        >
          {Split ? (
            <Split
              queue={toRecordQueue(context, spec, view, read)}
              accounts={read.ok ? toAccountsByRowId(read.rows) : {}}
              opened={opened}
            >
              {listBody}
            </Split>
          ) : (
            <div className="@container relative min-h-0 min-w-0 flex-1 lg:overflow-y-auto">
              {listBody}
            </div>
          )}
        </OpenRowProvider>
      </div>
    </ListFrame>
  )
}

const formatTotal = ({ one, many }: ListSpec, total: number | null) =>
  total === null ? `Number of ${many} unknown` : `${toCountText(total)} ${total === 1 ? one : many}`

const toAccountsByRowId = (rows: readonly ListRow[]) =>
  Object.fromEntries(rows.flatMap((row) => (row.account === null ? [] : [[row.id, row.account]])))

function ListBody<Row extends ListRow>({
  context,
  spec,
  view,
  read,
  Table,
  actions,
}: ListProps<Row>) {
  if (!read.ok)
    return <ListReadFailedNotice context={context} spec={spec} view={view} read={read} />
  const { rows, unreadable, total, keptSince } = read
  const isLastPage = total !== null && view.page * view.size >= total
  const retentionNote = isLastPage && keptSince !== undefined && <RetentionNote at={keptSince} />
  if (rows.length + unreadable.length === 0) {
    return (
      <>
        <ListEmpty context={context} spec={spec} view={view} total={total} create={actions} />
        {retentionNote}
      </>
    )
  }
  return (
    <>
      {rows.length > 0 && (
        <Table
          rows={rows}
          view={view}
          caption={`${spec.title}, ${view.tab.label.toLowerCase()}, page ${view.page}`}
        />
      )}
      <UnreadableRows rows={unreadable} one={spec.one} className="px-4 lg:px-6" />
      <ListPager
        context={context}
        spec={spec}
        view={view}
        shown={rows.length + unreadable.length}
        unreadable={unreadable.length}
        total={total}
      />
      {retentionNote}
    </>
  )
}

type ListReadFailedNoticeProps = Pick<ListProps<ListRow>, 'context' | 'spec' | 'view'> & {
  read: Extract<ListRowsResult<ListRow>, { ok: false }>
}

/** The error in place of the rows. */
export const ListReadFailedNotice = ({ context, spec, view, read }: ListReadFailedNoticeProps) => (
  <ErrorNotice
    className="m-4 max-w-2xl lg:mx-6"
    what={`The ${spec.many} could not be read`}
    error={read.error}
    requestId={read.requestId}
    actions={
      <ListLink
        href={toViewHref(spec, context, view, { page: view.page })}
        className={buttonVariants({ size: 'small' })}
      >
        Try again
      </ListLink>
    }
  />
)
