import { deciders, type Role } from '@/lib/operations/define'
import { rolesText } from './permissions'

/** Why the sender of an action cannot decide what became of it; `othersCan`: whether there is another person who may. */
export const senderCannotDecide = (othersCan: boolean): string =>
  othersCan
    ? 'You sent this action: another reviewer or admin must decide what became of it.'
    : 'You sent this action, and nobody else can decide what became of it: an admin must give somebody the role of a reviewer.'

/** Why a person who holds these roles cannot decide what became of an action; null where they can. */
export function whyNotDecide(held: readonly Role[], action: { own: boolean; others_can_decide: boolean | null }): string | null {
  if (!deciders.some((role) => held.includes(role))) return `Only ${rolesText(deciders)} can decide this.`
  return action.own ? senderCannotDecide(action.others_can_decide !== false) : null
}
