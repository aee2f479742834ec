import type { ReactNode } from 'react'
import {
  buildRequestList,
  requestList,
  toCallFieldValues,
  toCallFilter,
  toLogHref,
  toLogQuery,
} from '@/components/activity/list/list'
import { NewerRequestsNotice, RequestTable } from '@/components/activity/list/table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { ListBar, listClasses } from '@/components/kits/list/bar'
import { ListChips } from '@/components/kits/list/chips'
import { ListEmpty } from '@/components/kits/list/empty'
import { ListFilters } from '@/components/kits/list/filters/filters'
import { ExportButton, ListTools } from '@/components/kits/list/filters/tools'
import {
  DimmedWhileLoading,
  ListFrame,
  ListLink,
  RefreshListButton,
  UpdatingText,
} from '@/components/kits/list/frame'
import { ListReadFailedNotice } from '@/components/kits/list/list'
import { buildUnfilteredExport, type ListExport } from '@/components/kits/list/list-export'
import { PageLink, PageNavigation } from '@/components/kits/list/pager'
import { parseView } from '@/components/kits/list/parse-view'
import { PendingChangesStatus } from '@/components/kits/list/pending-changes'
import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { getTabLinkClasses, TabCount } from '@/components/ui/tab-links'
import type { PageContext } from '@/lib/client/page-context'
import { findOwnValue } from '@/lib/domain/service-words'
import type { WireError } from '@/lib/errors'
import {
  type ErrorGroup,
  type LogCursor,
  type LoggedCall,
  logDirections,
  parseCallFilter,
  parseLogCursor,
} from '@/lib/operations/activity'
import type { ActionView } from '@/lib/operations/answer'
import { maxCountedRows, toCountText } from '@/lib/operations/list-count'
import { activityPath } from '@/lib/routes'
import { ErrorGroups } from './error-groups'
import { UnknownOutcomeList } from './unknown-list'

const activityTabs = ['unknown', 'requests', 'errors'] as const
type ActivityTab = (typeof activityTabs)[number]

export type ActivityViewState = {
  tab: ActivityTab
  list: ListViewState
  /** The cursor of the shown page of the request log. Undefined for the newest requests. */
  place?: LogCursor
}

type SearchParams = Record<string, string | string[] | undefined>
type ActivityViewOptions = {
  first: ActivityTab
  /** Visible columns, from the user's preferences. */
  columns?: string | undefined
}

/** Ignores invalid values. `first` is the tab to show if the URL names none. */
export function parseActivityView(
  search: SearchParams,
  { first, columns }: ActivityViewOptions,
): ActivityViewState {
  // The request log's pages start at a cursor, so page numbers, sizes and sorts are ignored.
  const listView = parseView(
    requestList,
    { ...search, page: undefined, size: undefined, sort: undefined, order: undefined },
    {
      columns,
      isValid: (name, value) =>
        findOwnValue(parseCallFilter({ [name]: value }), name) !== undefined,
      known: logDirections,
    },
  )
  return {
    tab: activityTabs.find((tab) => tab === search.tab) ?? first,
    list: listView,
    place: parseLogCursor(search),
  }
}

export type ActivityReadResult =
  | {
      ok: true
      unknown: readonly ActionView[]
      calls: readonly LoggedCall[]
      total: number
      hasNewer: boolean
      hasOlder: boolean
      groups: readonly ErrorGroup[]
      errorsSince: string
      readAt: string
    }
  | { ok: false; error: WireError; requestId: string }

/** `unknown` counts actions with an unknown outcome; `days` is the period of the errors tab. */
type ActivityProps = {
  context: PageContext
  view: ActivityViewState
  unknown: number
  read: ActivityReadResult
  days: number
  views: ReactNode
}

const tabTitles: Record<ActivityTab, string> = {
  unknown: 'Unknown outcomes',
  requests: 'Requests',
  errors: 'Errors',
}

/** Resources whose changes refresh a tab. Other tabs refresh only when the user asks. */
const watchedResourcesByTab: Partial<Record<ActivityTab, readonly string[]>> = {
  unknown: ['actions'],
}

export function ActivityPageView({ context, view, unknown, read, days, views }: ActivityProps) {
  const listSpec = buildRequestList(view.list, read.ok ? read.calls[0]?.person : undefined)
  const isRequestsTab = view.tab === 'requests'
  return (
    <ListFrame follows={watchedResourcesByTab[view.tab]}>
      <div data-fits="wide" className={listClasses}>
        <ListBar
          title="Activity"
          tabs={{
            label: 'Parts',
            links: activityTabs.map((tab) => (
              <ListLink
                key={tab}
                href={activityPath(context, { tab })}
                aria-current={tab === view.tab ? 'page' : undefined}
                className={getTabLinkClasses(tab === view.tab)}
              >
                {tabTitles[tab]}
                {tab === 'unknown' && unknown > 0 && <TabCount>{toCountText(unknown)}</TabCount>}
              </ListLink>
            )),
          }}
          filters={isRequestsTab && <ListFilters spec={listSpec} view={view.list} />}
          views={isRequestsTab && views}
          status={
            <>
              <UpdatingText />
              <ActivityListStatus view={view} read={read} />
            </>
          }
          tools={
            <>
              <RefreshListButton />
              <ActivityTools spec={listSpec} unknown={unknown} view={view} read={read} />
            </>
          }
          chips={isRequestsTab && <ListChips spec={listSpec} view={view.list} />}
        />
        <div className="@container relative min-w-0 flex-1 lg:overflow-y-auto">
          <DimmedWhileLoading>
            <TabContent context={context} spec={listSpec} view={view} read={read} days={days} />
          </DimmedWhileLoading>
        </div>
      </div>
    </ListFrame>
  )
}

function ActivityTools({
  spec,
  unknown,
  view,
  read,
}: ActivityReadProps & Pick<ActivityProps, 'unknown'> & { spec: ListSpec }) {
  if (view.tab === 'requests')
    return <ListTools spec={spec} view={view.list} exported={toRequestExport(view, read)} />
  if (view.tab !== 'unknown') return null
  return (
    <ExportButton
      exported={buildUnfilteredExport(
        'open_actions',
        'unknown outcome',
        'unknown outcomes',
        unknown,
      )}
    />
  )
}

function toRequestExport(view: ActivityViewState, read: ActivityReadResult): ListExport {
  const requestTotal = read.ok ? read.total : 0
  return {
    list: 'requests',
    one: 'request',
    many: 'requests',
    search: toLogQuery(view.list),
    total: read.ok && requestTotal <= maxCountedRows ? requestTotal : null,
    atLeast: Math.min(requestTotal, maxCountedRows),
  }
}

type ActivityReadProps = Pick<ActivityProps, 'view' | 'read'>

function ActivityListStatus({ view, read }: ActivityReadProps) {
  if (!read.ok) return null
  return (
    <>
      {view.tab === 'requests' && (
        <>
          {!read.hasNewer && (
            <NewerRequestsNotice
              filter={toCallFilter(view.list)}
              after={read.calls[0]?.at ?? read.readAt}
            />
          )}
          <span>
            {toCountText(read.total)} {read.total === 1 ? 'request' : 'requests'}
          </span>
        </>
      )}
      {view.tab === 'unknown' && <PendingChangesStatus>{null}</PendingChangesStatus>}
      <AgeChip at={read.readAt} limit={120_000} what="as of" />
    </>
  )
}

function TabContent({
  context,
  spec,
  view,
  read,
  days,
}: ActivityReadProps & Pick<ActivityProps, 'context' | 'days'> & { spec: ListSpec }): ReactNode {
  if (!read.ok) {
    if (view.tab === 'requests')
      return <ListReadFailedNotice context={context} spec={spec} view={view.list} read={read} />
    return (
      <ErrorNotice
        className="m-4"
        what="The activity could not be read"
        error={read.error}
        requestId={read.requestId}
      />
    )
  }
  if (view.tab === 'unknown') return <UnknownOutcomeList actions={read.unknown} />
  if (view.tab === 'errors')
    return <ErrorGroups groups={read.groups} since={read.errorsSince} days={days} />
  const [first, ...more] = read.calls
  const pageLinks = <CallPageLinks context={context} view={view} read={read} />
  if (first) {
    return (
      <RequestTable view={view.list} calls={toCallFieldValues([first, ...more])}>
        {pageLinks}
      </RequestTable>
    )
  }
  return (
    <>
      {view.place ? (
        <EmptyState className="px-4 lg:px-6" title="No older requests" />
      ) : (
        <ListEmpty context={context} spec={spec} view={view.list} total={0} />
      )}
      {pageLinks}
    </>
  )
}

type CallPageLinksProps = {
  context: PageContext
  view: ActivityViewState
  read: Extract<ActivityReadResult, { ok: true }>
}

/** Pages start at a request, not at a number, so that new requests cause no gaps or duplicates. */
function CallPageLinks({ context, view, read: { calls, hasNewer, hasOlder } }: CallPageLinksProps) {
  const renderPageLink = (label: string, position?: LogCursor) => (
    <PageLink href={toLogHref(context, view.list, position)} label={label} />
  )
  const [first, last] = [calls[0], calls.at(-1)]
  if (!hasNewer && !hasOlder) return null
  return (
    <PageNavigation>
      <span className="flex items-center gap-2">
        {hasNewer && renderPageLink('Newest')}
        {hasNewer && first && renderPageLink('Newer', { way: 'newer', at: first.at, id: first.id })}
        {hasOlder && last && renderPageLink('Older', { way: 'older', at: last.at, id: last.id })}
      </span>
    </PageNavigation>
  )
}
