import 'server-only'
import { eventLabels } from '@/lib/features/notifications/labels'
import { capitalizeFirst } from '@/lib/formats'
import type { Environment } from '@/lib/operations/define'
import type { Notification } from '@/lib/operations/notifications'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { listOpenQuestionsTo } from '@/lib/server/approvals/questions'
import type { Actor } from '@/lib/server/auth/session-rows'

/** One for each question about the person's own requests that is not answered yet. */
export async function listQuestionNotifications(
  actor: Actor,
  environment: Environment,
): Promise<Notification[]> {
  const openQuestions = await listOpenQuestionsTo(actor.id, environment)
  return openQuestions.map(({ id, actionId, operation, askedBy, askedAt }) => ({
    key: `question/${id}`,
    event: 'question',
    title: eventLabels.question.title,
    line: `${capitalizeFirst(getServiceOperation(operation).verbPhrase)}: ${askedBy} waits for your answer`,
    since: askedAt.toISOString(),
    path: `/approvals/${actionId}`,
  }))
}
