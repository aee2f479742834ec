import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SavedViewsBar } from '@/app/_pages/list'
import { type PageProps, readPreferences } from '@/app/_pages/open-page'
import {
  ActivityPageView,
  type ActivityReadResult,
  type ActivityViewState,
  parseActivityView,
} from '@/components/activity/activity'
import { requestList, toLogQuery } from '@/components/activity/list/list'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { AppError } from '@/lib/errors'
import {
  errorPeriodDays,
  getFirstErrorDay,
  readCallsPage,
  readErrorGroups,
} from '@/lib/features/activity/server/activity'
import { listOpenActions } from '@/lib/features/activity/server/operations'
import {
  isLogAccessAllowed,
  requireCallFilter,
} from '@/lib/features/activity/server/readable-calls'
import type { ActionView } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import { activityPath } from '@/lib/routes'
import { parseAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'
import { createRequestId } from '@/lib/server/service/request'

export const metadata: Metadata = { title: 'Activity' }

export default async function ActivityPage({ params, searchParams }: PageProps) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, activityPath(environment, search))
  if (context.denied !== null)
    return <ChooseAccount context={context} path="/activity" many="requests" />
  const actor = await getCurrentActor()
  if (!actor || !(await isLogAccessAllowed(actor, context.environment)))
    return <ActivityNotAllowed />
  const openActions = await listOpenActions(context.environment, actor).catch(() => null)
  const openActionsInScope =
    openActions?.filter(({ account }) => context.account === null || account === context.account) ??
    null
  // The redirect adds `tab` to the URL, because the tab of unknown outcomes refreshes automatically.
  // Without `tab`, the page would change to another tab once the last outcome is known.
  if (openActionsInScope && openActionsInScope.length > 0 && search.tab === undefined)
    redirect(activityPath(environment, { ...search, tab: 'unknown' }))
  const { columns } = await readPreferences()
  const view = parseActivityView(search, {
    first: openActionsInScope?.length === 0 ? 'requests' : 'unknown',
    columns: columns.requests,
  })
  const activityRead = await readActivity(context, actor, view, openActionsInScope).catch(
    toFailedActivityRead,
  )
  const shownAccountIds = activityRead.ok
    ? [...activityRead.unknown, ...activityRead.calls].map(({ account }) => account)
    : []
  return (
    <PageContextProvider context={await addAccountsByIds(context, shownAccountIds)}>
      <ActivityPageView
        context={context}
        view={view}
        unknown={openActionsInScope?.length ?? 0}
        read={activityRead}
        days={errorPeriodDays}
        views={<SavedViewsBar context={context} spec={requestList} view={view.list} />}
      />
    </PageContextProvider>
  )
}

const ActivityNotAllowed = () => (
  <EmptyState level={1} tone="bad" title="You don’t have access to the request log">
    <p>
      Operators, reviewers and admins can read the request log. An admin can grant one of these
      roles.
    </p>
  </EmptyState>
)

function toFailedActivityRead(error: unknown): ActivityReadResult {
  const readError =
    error instanceof AppError
      ? error
      : new AppError('unavailable', 'The request log could not be read. Try again')
  return {
    ok: false,
    error: readError.toWire(),
    requestId: readError.requestId ?? createRequestId(),
  }
}

const emptyCallsPage = { calls: [], total: 0, hasNewer: false, hasOlder: false }

async function readActivity(
  context: PageContext,
  actor: Actor,
  view: ActivityViewState,
  unknown: ActionView[] | null,
): Promise<ActivityReadResult> {
  if (!unknown) throw new AppError('unavailable', 'The actions could not be read. Try again')
  const account = context.account ? parseAccountId(context.account) : undefined
  const readAt = new Date().toISOString()
  const errorsFirstDay = getFirstErrorDay(Date.now())
  const [page, groups] = await Promise.all([
    view.tab === 'requests'
      ? readCallsPage(actor, context.environment, requireCallFilter(toLogQuery(view.list)), {
          account,
          place: view.place,
        })
      : emptyCallsPage,
    view.tab === 'errors'
      ? readErrorGroups(actor, context.environment, errorsFirstDay, account)
      : [],
  ])
  return { ok: true, unknown, ...page, groups, errorsSince: errorsFirstDay, readAt }
}
