import 'server-only'
import { and, count, eq, gt, max, min, ne, sql } from 'drizzle-orm'
import { eventLabels, notifiedQueues, queueNouns } from '@/lib/features/notifications/labels'
import { capitalizeFirst } from '@/lib/formats'
import { type Environment, evidenceRoles } from '@/lib/operations/define'
import type { Notification } from '@/lib/operations/notifications'
import { getOperation, isOperationId } from '@/lib/operations/operations'
import type { QueueCounts } from '@/lib/pages'
import { listOpenActionViews, listRequestViews } from '@/lib/server/actions/waiting-views'
import { whyNotApprove } from '@/lib/server/approvals/approvers'
import { listQuestions } from '@/lib/server/approvals/questions'
import { toApprovalCriteria } from '@/lib/server/approvals/request'
import { getGrantedAccounts, getRolesIn, parseAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { webhookEvents, webhookRefusals } from '@/lib/server/store/schema/mirror'
import { grantRequests, grants } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { readSyncState } from '@/lib/server/sync/state'
import { listQuestionNotifications } from './question-notifications'

/** A queue that could not be counted is left out. */
export type WaitingRowCounter = (actor: Actor, environment: Environment) => Promise<QueueCounts>

/** A pause of the sync must last this long to cause a notification, because most end sooner. */
const minSyncPauseMs = 5 * 60_000

const toVerbPhrase = (operationId: string): string =>
  isOperationId(operationId) ? capitalizeFirst(getOperation(operationId).verbPhrase) : operationId

async function listApprovalNotifications(
  actor: Actor,
  environment: Environment,
): Promise<Notification[]> {
  const db = await getDatabase()
  const waitingRequests = await listRequestViews(
    environment,
    getGrantedAccounts(actor.grants, environment),
    actor.id,
    'waiting',
  )
  const questionsByAction = await listQuestions(
    db,
    waitingRequests.map(({ action }) => action.id),
  )
  const notifications = await Promise.all(
    waitingRequests.map(async ({ action, view }): Promise<Notification[]> => {
      if (await whyNotApprove(db, toApprovalCriteria(action), actor)) return []
      const approvalPagePath = `/approvals/${view.id}`
      const answers = (questionsByAction.get(view.id) ?? []).filter(({ answer }) => answer !== null)
      const requestText =
        answers.length > 0
          ? 'the requester answered a question, and the request still waits'
          : 'it was requested by another person and expires after 24 hours'
      const notificationLine = `${toVerbPhrase(view.operation)}: ${requestText}`
      return [
        {
          // A new key for each answer, so that each is mailed.
          key: ['approval', view.id, ...(answers.length > 0 ? [answers.length] : [])].join('/'),
          event: 'approval',
          title: eventLabels.approval.title,
          line: notificationLine,
          since: view.created_at,
          path: approvalPagePath,
        },
      ]
    }),
  )
  return notifications.flat()
}

async function listUnknownOutcomeNotifications(
  actor: Actor,
  environment: Environment,
): Promise<Notification[]> {
  const openActions = await listOpenActionViews(
    environment,
    getGrantedAccounts(actor.grants, environment),
    actor.id,
  )
  const isRelevantToActor = ({ own, account }: (typeof openActions)[number]) =>
    own ||
    getRolesIn(actor.grants, environment, account && parseAccountId(account)).some((role) =>
      evidenceRoles.includes(role),
    )
  return openActions.filter(isRelevantToActor).map((view) => ({
    key: `unknown/${view.id}`,
    event: 'unknown',
    title: eventLabels.unknown.title,
    line: `${toVerbPhrase(view.operation)}: nobody knows yet whether it took effect`,
    since: view.created_at,
    path: '/activity?tab=unknown',
  }))
}

const toQueueKey = (environment: Environment, queue: string): string =>
  `waits/${environment}/${queue}`

/**
 * Returns the keys of the notifications about queues that could not be counted: these notifications
 * may still be current.
 */
export const listUncountedQueueKeys = (environment: Environment, counts: QueueCounts): string[] =>
  notifiedQueues
    .filter((queue) => counts[queue] === undefined)
    .map((queue) => toQueueKey(environment, queue))

function toQueueNotifications(environment: Environment, counts: QueueCounts): Notification[] {
  return notifiedQueues.flatMap((queue) => {
    const waitingCount = counts[queue] ?? 0
    const { one, many, path } = queueNouns[queue]
    if (waitingCount === 0) return []
    const waitingTitle = `${waitingCount.toLocaleString('en-US')} ${waitingCount === 1 ? one : many}`
    return [
      {
        key: toQueueKey(environment, queue),
        event: 'waits',
        title: waitingTitle,
        line: 'Waiting for someone with your role',
        since: null,
        path,
      },
    ]
  })
}

async function listSyncPauseNotifications(environment: Environment): Promise<Notification[]> {
  const { paused: pause } = await readSyncState(environment)
  if (!pause) return []
  const isKeyRefused = pause.reason === 'service_key_refused'
  if (!isKeyRefused && Date.now() - pause.since.getTime() < minSyncPauseMs) return []
  const pauseEvent = isKeyRefused ? 'key' : 'sync'
  const pauseLine = isKeyRefused
    ? 'The service does not accept the API key. Nothing can be read or sent until an admin replaces it'
    : `What is shown may be old. The reason: ${pause.reason.replaceAll('_', ' ')}`
  const since = pause.since.toISOString()
  return [
    {
      key: `${pauseEvent}/${environment}/${since}`,
      event: pauseEvent,
      title: eventLabels[pauseEvent].title,
      line: pauseLine,
      since,
      path: '/settings',
    },
  ]
}

const oneDayAgo = sql`now() - interval '24 hours'`

async function listWebhookNotifications(environment: Environment): Promise<Notification[]> {
  const db = await getDatabase()
  const [[failed], [refused]] = await Promise.all([
    db
      .select({ count: count(), since: min(webhookEvents.receivedAt) })
      .from(webhookEvents)
      .where(
        and(
          eq(webhookEvents.environment, environment),
          eq(webhookEvents.state, 'failed'),
          gt(webhookEvents.receivedAt, oneDayAgo),
        ),
      ),
    db
      .select({
        count: sql<number>`coalesce(sum(${webhookRefusals.count}), 0)::int`,
        since: max(webhookRefusals.lastAt),
      })
      .from(webhookRefusals)
      .where(
        and(eq(webhookRefusals.environment, environment), gt(webhookRefusals.lastAt, oneDayAgo)),
      ),
  ])
  const buildNotifications = (
    name: string,
    description: string,
    eventCount: { count: number; since: Date | null } | undefined,
  ): Notification[] => {
    if (!eventCount || eventCount.count === 0) return []
    const webhookLine = `${eventCount.count.toLocaleString('en-US')} ${description} in the last 24 hours`
    const since = eventCount.since?.toISOString() ?? null
    const title = eventLabels.webhooks.title
    return [
      {
        key: `webhooks/${environment}/${name}`,
        event: 'webhooks',
        title,
        line: webhookLine,
        since,
        path: '/webhooks',
      },
    ]
  }
  return [
    ...buildNotifications('failed', 'events could not be processed', failed),
    ...buildNotifications('refused', 'deliveries were refused', refused),
  ]
}

const formatRoleCount = (count: number) =>
  count === 1 ? '1 role' : `${count.toLocaleString('en-US')} roles`

/** Covers the last 24 hours. The key contains the newest role, so each new role notifies again. */
async function listRoleNotifications(
  actor: Actor,
  environment: Environment,
): Promise<Notification[]> {
  const db = await getDatabase()
  const newestId = sql<string | null>`(array_agg(id order by created_at desc))[1]`
  const roleCountColumns = { count: count(), newest: newestId, since: max(grants.createdAt) }
  const [[granted], [waiting]] = await Promise.all([
    db
      .select(roleCountColumns)
      .from(grants)
      .where(
        and(
          eq(grants.environment, environment),
          ne(grants.grantedBy, actor.id),
          gt(grants.createdAt, oneDayAgo),
        ),
      ),
    db
      .select({ ...roleCountColumns, since: max(grantRequests.createdAt) })
      .from(grantRequests)
      .where(
        and(eq(grantRequests.environment, environment), ne(grantRequests.requestedBy, actor.id)),
      ),
  ])
  const buildRoleNotifications = (
    roleCount: typeof granted,
    title: string,
    line: string,
  ): Notification[] => {
    if (!roleCount?.newest) return []
    const notificationKey = `people/${environment}/${roleCount.newest}`
    return [
      {
        key: notificationKey,
        event: 'people',
        title: `${formatRoleCount(roleCount.count)} ${title}`,
        line,
        since: roleCount.since?.toISOString() ?? null,
        path: '/people',
      },
    ]
  }
  return [
    ...buildRoleNotifications(
      granted,
      'granted in the last 24 hours',
      granted?.count === 1
        ? 'Granted by another admin: check that it was intended'
        : 'Granted by other admins: check that each was intended',
    ),
    ...buildRoleNotifications(
      waiting,
      'to confirm',
      'Granted by another admin: in effect once you confirm',
    ),
  ]
}

const isPlatformAdmin = (actor: Actor, environment: Environment) =>
  getRolesIn(actor.grants, environment, null).includes('admin')

export async function listAdminNotifications(
  actor: Actor,
  environment: Environment,
): Promise<Notification[]> {
  if (!isPlatformAdmin(actor, environment)) return []
  return (
    await Promise.all([
      listSyncPauseNotifications(environment),
      listWebhookNotifications(environment),
      listRoleNotifications(actor, environment),
    ])
  ).flat()
}

/**
 * Includes notifications that the person turned off. A queue that is missing in `counts` has no
 * notification.
 */
export async function listNotifications(
  actor: Actor,
  environment: Environment,
  counts: QueueCounts,
): Promise<Notification[]> {
  const notifications = await Promise.all([
    listAdminNotifications(actor, environment),
    listUnknownOutcomeNotifications(actor, environment),
    listApprovalNotifications(actor, environment),
    listQuestionNotifications(actor, environment),
  ])
  return [...notifications.flat(), ...toQueueNotifications(environment, counts)]
}
