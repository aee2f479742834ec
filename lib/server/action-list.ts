import 'server-only'
import type { ActionView } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { actionsOnTarget, openActionViews } from './actions/views'
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
 * The actions of an environment whose outcome is open and that the person may see, oldest first: unknown ones, those a person has to decide, and
 * those that have been on their way for more than a minute.
 */
export const openActions = (environment: Environment, actor: Actor): Promise<ActionView[]> =>
  openActionViews(environment, accountsGranted(actor.grants, environment), actor.id)
