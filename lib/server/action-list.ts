import 'server-only'
import type { ActionView } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import type { OperationId } from '@/lib/operations/rows'
import { actionsOnTarget, openActionViews, ownMakings } from './actions/views'
import { accountsGranted, parseAccount, rolesIn } from './scoped-account'
import { currentActor } from './session'
import type { Actor } from './session-rows'

/** The actions on one object (`payouts/<uuid>`) in accounts the person holds a role for, newest first. */
export async function actionsSeenBy(actor: Actor, environment: Environment, target: string): Promise<ActionView[]> {
  const all = await actionsOnTarget(environment, target, actor.id)
  return all.filter((action) => rolesIn(actor.grants, environment, action.account && parseAccount(action.account)).length > 0)
}

/** The same for a page whose desk was opened. */
export async function actionsOn(desk: Desk, target: string): Promise<ActionView[]> {
  const actor = await currentActor()
  return actor ? actionsSeenBy(actor, desk.environment, target) : []
}

/**
 * The person's own open actions of an operation that makes something, in an account (`acct_…`, null for the platform). A form that was opened anew
 * asks for them: whoever does not know what became of the first must not send a second by accident. None for an account they hold no role for.
 */
export async function makingsOf(
  actor: Actor,
  environment: Environment,
  operation: OperationId,
  account: string | null,
): Promise<ActionView[]> {
  const accountId = account && parseAccount(account)
  return rolesIn(actor.grants, environment, accountId).length > 0 ? ownMakings(environment, operation, accountId, actor.id) : []
}

/**
 * The actions of an environment whose outcome is open and that the person may see, oldest first: unknown ones, those a person has to decide, and
 * those that have been on their way for more than a minute.
 */
export const openActions = (environment: Environment, actor: Actor): Promise<ActionView[]> =>
  openActionViews(environment, accountsGranted(actor.grants, environment), actor.id)
