import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import type { ComparedField } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import { serviceOperation } from '@/lib/operations/service-operations'
import { answerOf } from '@/lib/server/actions/answer-of'
import { comparedFields } from '@/lib/server/actions/compared'
import { seenIn } from '@/lib/server/actions/seen'
import { findAction } from '@/lib/server/actions/views'
import { rolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'

/**
 * Evidence of a decision: the action, the record as it was on the screen, and as the service answered. `fields` is null if neither is
 * stored.
 */
export type Decision = { action: ActionView; fields: ComparedField[] | null; isAnswered: boolean }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the decision behind a row of the audit; null if there is none, the reader has no role in its account, or it is of another
 * environment.
 */
export async function decisionOf(id: string, { actor, environment }: { actor: Actor; environment: Environment }): Promise<Decision | null> {
  const found = await findAction(id, actor.id)
  if (!found || found.action.environment !== environment) return null
  const { action, view } = found
  const roles = rolesIn(actor.grants, environment, action.accountId)
  if (roles.length === 0) return null
  const snapshot = seenIn(action)
  const { body } = answerOf(action, view, { mayRead: whyNotAllowed(roles, serviceOperation(view.operation)) === null })
  const answer = 'data' in body && isObject(body.data) ? body.data : undefined
  if (!isObject(snapshot) && !answer) return { action: view, fields: null, isAnswered: false }
  return { action: view, fields: comparedFields(isObject(snapshot) ? snapshot : {}, answer), isAnswered: answer !== undefined }
}
