import type { ReactNode } from 'react'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/age-chip'
import { Dimmed, ListFrame, ListLink, Updating } from '@/components/kits/list/list-frame'
import { RefreshButton } from '@/components/kits/list/refresh-button'
import { buttonVariants } from '@/components/ui/button-variants'
import { TabCount, TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import type { Desk } from '@/lib/client/desk'
import type { WireError } from '@/lib/errors'
import { callFilterOf, type ErrorGroup, type LoggedCall } from '@/lib/operations/activity'
import type { ActionView } from '@/lib/operations/answer'
import { type ActivityTab, type ActivityView, activityHref, activityTabs, isNarrowed } from './activity-view'
import { ErrorGroups } from './error-groups'
import { NewerLine } from './newer-line'
import { RequestFilters } from './request-filters'
import { RequestTable } from './request-table'
import { UnknownList } from './unknown-list'

/** What the server read for the open tab. */
export type ActivityRead =
  | {
      ok: true
      unknown: readonly ActionView[]
      calls: readonly LoggedCall[]
      total: number
      groups: readonly ErrorGroup[]
      errorsSince: string
      readAt: string
    }
  | { ok: false; error: WireError; requestId: string }

type ActivityProps = { desk: Desk; view: ActivityView; read: ActivityRead; perPage: number; days: number }

const titles: Record<ActivityTab, string> = { unknown: 'Unknown outcomes', requests: 'Requests', errors: 'Errors' }

/** What was asked of the payments service from here: what is still open, every call, and what went wrong. */
export function Activity(props: ActivityProps) {
  const { desk, view, read } = props
  return (
    <ListFrame>
      <div className="-mx-4 -mb-12 flex flex-col lg:-mx-6 lg:h-[calc(100dvh-3.25rem)]">
        <div className="flex h-9 items-end gap-5 border-line border-b px-4 lg:px-6">
          <h1 className="h-9 shrink-0 pt-1.5 font-semibold text-lg">Activity</h1>
          <TabLinks label="Parts" className="-mb-px min-w-0 border-b-0">
            {activityTabs.map((tab) => (
              <ListLink
                key={tab}
                href={activityHref(desk.environment, desk.account, { tab, page: 1 })}
                aria-current={tab === view.tab ? 'page' : undefined}
                className={tabLinkClasses(tab === view.tab)}
              >
                {titles[tab]}
                {tab === 'unknown' && read.ok && read.unknown.length > 0 && <TabCount value={read.unknown.length} />}
              </ListLink>
            ))}
          </TabLinks>
        </div>
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 lg:px-6">
          {view.tab === 'requests' && <RequestFilters view={view} person={read.ok ? read.calls[0]?.person : undefined} />}
          <div className="ml-auto flex items-center gap-2 text-ink-3 text-xs">
            <Updating />
            {read.ok && view.tab === 'requests' && (
              <>
                {view.page === 1 && <NewerLine filter={callFilterOf(view)} after={read.calls[0]?.at ?? read.readAt} />}
                <span>
                  {read.total.toLocaleString('en-US')} {read.total === 1 ? 'request' : 'requests'}
                </span>
              </>
            )}
            {read.ok && <AgeChip at={read.readAt} limit={120_000} what="as of" />}
            <RefreshButton />
          </div>
        </div>
        <div className="@container relative min-w-0 flex-1 lg:overflow-y-auto">
          <Dimmed>
            {read.ok ? (
              <Part {...props} read={read} />
            ) : (
              <ErrorNotice className="m-4" what="The activity could not be read" error={read.error} requestId={read.requestId} />
            )}
          </Dimmed>
        </div>
      </div>
    </ListFrame>
  )
}

type PartProps = ActivityProps & { read: Extract<ActivityRead, { ok: true }> }

function Part({ desk, view, read, perPage, days }: PartProps): ReactNode {
  if (view.tab === 'unknown') return <UnknownList key={read.readAt} actions={read.unknown} />
  if (view.tab === 'errors') return <ErrorGroups desk={desk} groups={read.groups} since={read.errorsSince} days={days} />
  if (read.calls.length === 0) {
    return (
      <EmptyState className="lg:px-6" title={isNarrowed(view) ? 'Nothing matches' : 'No requests yet'}>
        <p>
          Every call of a person from here to the payments service leaves a line, kept for 90 days; what was sent and what came back is
          never kept.
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      <RequestTable desk={desk} view={view} calls={read.calls} caption={`Requests, page ${view.page}`} />
      <Pages desk={desk} view={view} pages={Math.max(1, Math.ceil(read.total / perPage))} />
    </>
  )
}

function Pages({ desk, view, pages }: { desk: Desk; view: ActivityView; pages: number }) {
  const link = (page: number, label: string) =>
    page >= 1 && page <= pages ? (
      <ListLink href={activityHref(desk.environment, desk.account, view, { page })} className={buttonVariants({ size: 'small' })}>
        {label}
      </ListLink>
    ) : null
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 px-4 py-3 text-ink-3 text-xs lg:px-6">
      {link(view.page - 1, 'Newer')}
      <span>
        Page {view.page} of {pages.toLocaleString('en-US')}
      </span>
      {link(view.page + 1, 'Older')}
    </nav>
  )
}
