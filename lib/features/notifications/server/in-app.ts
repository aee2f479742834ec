import 'server-only'
import { notifiedQueues } from '@/lib/features/notifications/labels'
import type { Environment } from '@/lib/operations/define'
import type { Notification, NotificationChoices } from '@/lib/operations/notifications'
import type { QueueCounts } from '@/lib/pages'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getDatabase } from '@/lib/server/store/store'
import { readNotificationChoices } from './choices'
import { listAdminNotifications, listNotifications } from './list-notifications'
import { listQuestionNotifications } from './question-notifications'

export async function listInAppNotifications(
  actor: Actor,
  environment: Environment,
  counts: QueueCounts,
): Promise<{ notifications: Notification[]; choices: NotificationChoices }> {
  const choices = await readNotificationChoices(await getDatabase(), actor.id)
  const allNotifications = await listNotifications(actor, environment, counts)
  return { notifications: allNotifications.filter(({ event }) => choices[event].app), choices }
}

/** Like `listInAppNotifications`, but faster: it takes the numbers of most rows from `counts`. */
export async function countInAppNotifications(
  actor: Actor,
  environment: Environment,
  counts: QueueCounts,
): Promise<number> {
  const choices = await readNotificationChoices(await getDatabase(), actor.id)
  const adminNotificationCount = (await listAdminNotifications(actor, environment)).filter(
    ({ event }) => choices[event].app,
  ).length
  const questionCount = choices.question.app
    ? (await listQuestionNotifications(actor, environment)).length
    : 0
  const approvalCount = choices.approval.app ? (counts.approvals_waiting ?? 0) : 0
  const unknownOutcomeCount = choices.unknown.app ? (counts.outcomes_unknown ?? 0) : 0
  const waitingQueueCount = choices.waits.app
    ? notifiedQueues.filter((queue) => (counts[queue] ?? 0) > 0).length
    : 0
  return (
    adminNotificationCount + questionCount + approvalCount + unknownOutcomeCount + waitingQueueCount
  )
}
