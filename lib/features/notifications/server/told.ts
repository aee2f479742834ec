import 'server-only'
import { toldQueues } from '@/lib/features/notifications/words'
import type { Environment } from '@/lib/operations/define'
import type { Notification, NotificationChoices } from '@/lib/operations/notifications'
import type { QueueCounts } from '@/lib/pages'
import type { Actor } from '@/lib/server/auth/session-rows'
import { database } from '@/lib/server/store/store'
import { choicesOf } from './choices'
import { factsFor, problemsFor } from './facts'

/** Returns the notifications that a person chose to see in Paydesk, for one environment, and the person's choices. */
export async function toldHere(
  actor: Actor,
  environment: Environment,
  counts: QueueCounts,
): Promise<{ notifications: Notification[]; choices: NotificationChoices }> {
  const choices = await choicesOf(await database(), actor.id)
  const facts = await factsFor(actor, environment, counts)
  return { notifications: facts.filter(({ event }) => choices[event].app), choices }
}

/** Returns the number of notifications that `toldHere` returns. It uses queue counts, so it is faster. */
export async function countTold(actor: Actor, environment: Environment, counts: QueueCounts): Promise<number> {
  const choices = await choicesOf(await database(), actor.id)
  const problems = (await problemsFor(actor, environment)).filter(({ event }) => choices[event].app).length
  const approvals = choices.approval.app ? (counts.approvals_waiting ?? 0) : 0
  const outcomes = choices.unknown.app ? (counts.outcomes_unknown ?? 0) : 0
  const waits = choices.waits.app ? toldQueues.filter((queue) => (counts[queue] ?? 0) > 0).length : 0
  return problems + approvals + outcomes + waits
}
