import type { Metadata } from 'next'
import { Activity, type ActivityRead } from '@/components/activity/activity'
import { type ActivityView, activityViewOf } from '@/components/activity/activity-view'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { DeskProvider } from '@/components/kits/layout/desk-context'
import { ChooseAccount } from '@/components/kits/record/choose-account'
import { AppError } from '@/lib/errors'
import type { ActionView } from '@/lib/operations/answer'
import type { Desk } from '@/lib/operations/desk'
import { activityPath } from '@/lib/routes'
import { openActions } from '@/lib/server/action-list'
import { callsOf, callsPerPage, errorDays, errorGroupsOf, errorsFrom, mayOpenLog } from '@/lib/server/activity'
import { openDesk } from '@/lib/server/desk'
import { newRequestId } from '@/lib/server/request-id'
import { parseAccount } from '@/lib/server/scoped-account'
import { currentActor } from '@/lib/server/session'
import type { Actor } from '@/lib/server/session-rows'

export const metadata: Metadata = { title: 'Activity' }

type Props = {
  params: Promise<{ environment: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ActivityPage({ params, searchParams }: Props) {
  const [{ environment }, search] = await Promise.all([params, searchParams])
  const desk = await openDesk(environment, search, activityPath(environment, search))
  if (desk.denied !== null) return <ChooseAccount desk={desk} path="/activity" many="requests" />
  const actor = await currentActor()
  if (!actor || !(await mayOpenLog(actor, desk.environment))) return <Closed />
  const all = await openActions(desk.environment, actor).catch(() => null)
  const unknown = all?.filter(({ account }) => desk.account === null || account === desk.account) ?? null
  const view = activityViewOf(search, unknown?.length === 0 ? 'requests' : 'unknown')
  const read = await readActivity(desk, actor, view, unknown).catch(failed)
  return (
    <DeskProvider desk={desk}>
      <Activity desk={desk} view={view} read={read} perPage={callsPerPage} days={errorDays} />
    </DeskProvider>
  )
}

const Closed = () => (
  <EmptyState level={1} tone="bad" title="The request log is not open to you">
    <p>Operators, reviewers and admins read it. An admin can grant one of these roles.</p>
  </EmptyState>
)

function failed(error: unknown): ActivityRead {
  const known = error instanceof AppError ? error : new AppError('unavailable', 'The record of requests could not be read. Try again')
  return { ok: false, error: known.toWire(), requestId: known.requestId ?? newRequestId() }
}

async function readActivity(desk: Desk, actor: Actor, view: ActivityView, unknown: ActionView[] | null): Promise<ActivityRead> {
  if (!unknown) throw new AppError('unavailable', 'The actions could not be read. Try again')
  const account = desk.account ? parseAccount(desk.account) : undefined
  const readAt = new Date().toISOString()
  const errorsSince = errorsFrom(Date.now())
  const [{ calls, total }, groups] = await Promise.all([
    view.tab === 'requests' ? callsOf(actor, desk.environment, view, { account, page: view.page }) : { calls: [], total: 0 },
    view.tab === 'errors' ? errorGroupsOf(actor, desk.environment, errorsSince, account) : [],
  ])
  return { ok: true, unknown, calls, total, groups, errorsSince, readAt }
}
