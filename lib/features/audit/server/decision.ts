import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import type { ComparedField } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { toActionAnswer } from '@/lib/server/actions/action-answer'
import { compareFields } from '@/lib/server/actions/compare-fields'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { findAction } from '@/lib/server/actions/views'
import { getRolesIn } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'

/**
 * `fields` compares the record on the screen with the service's response; null if neither is
 * stored. `isAnswered` is true if the response is stored and the person may read it.
 */
export type DecisionEvidence = {
  action: ActionView
  fields: ComparedField[] | null
  isAnswered: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null also for another environment, or if the person has no role in the account. */
export async function findDecisionEvidence(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
): Promise<DecisionEvidence | null> {
  const foundAction = await findAction(id, actor.id)
  if (!foundAction || foundAction.action.environment !== environment) return null
  const { action, view } = foundAction
  const roles = getRolesIn(actor.grants, environment, action.accountId)
  if (roles.length === 0) return null
  const seenObject = decryptSeenObject(action)
  const { body } = toActionAnswer(action, view, {
    mayRead: whyNotAllowed(roles, getServiceOperation(view.operation)) === null,
  })
  const responseData = 'data' in body && isObject(body.data) ? body.data : undefined
  if (!isObject(seenObject) && !responseData)
    return { action: view, fields: null, isAnswered: false }
  return {
    action: view,
    fields: compareFields(isObject(seenObject) ? seenObject : {}, responseData),
    isAnswered: responseData !== undefined,
  }
}
