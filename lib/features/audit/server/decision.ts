import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import type { ComparedField } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import { serviceOperation } from '@/lib/operations/service-operations'
import { toActionAnswer } from '@/lib/server/actions/action-answer'
import { compareFields } from '@/lib/server/actions/compare-fields'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { findAction } from '@/lib/server/actions/views'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'

/**
 * The evidence of a decision: its action, and the fields of the record, as the screen showed them and as the service returned them.
 * `fields` is null if neither is stored.
 */
export type Decision = { action: ActionView; fields: ComparedField[] | null; isAnswered: boolean }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the decision that a row of the audit belongs to. Null if there is none, if it is in another environment, or if the reader has no
 * role in its account.
 */
export async function findDecision(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
): Promise<Decision | null> {
  const found = await findAction(id, actor.id)
  if (!found || found.action.environment !== environment) return null
  const { action, view } = found
  const roles = getRolesIn(actor.grants, environment, action.accountId)
  if (roles.length === 0) return null
  const snapshot = decryptSeenObject(action)
  const { body } = toActionAnswer(action, view, { mayRead: whyNotAllowed(roles, serviceOperation(view.operation)) === null })
  const answer = 'data' in body && isObject(body.data) ? body.data : undefined
  if (!isObject(snapshot) && !answer) return { action: view, fields: null, isAnswered: false }
  return { action: view, fields: compareFields(isObject(snapshot) ? snapshot : {}, answer), isAnswered: answer !== undefined }
}
