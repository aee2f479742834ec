import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Held, WorkId, WorkRead } from '@/lib/domain/work'
import type { Role } from '@/lib/operations/define'
import type { Desk } from '@/lib/operations/desk'
import { parseAccount, rolesIn } from './scoped-account'
import { currentActor } from './session'
import { accountsGroup, requestsGroup } from './work-accounts'
import { outcomesGroup } from './work-actions'
import { heldGroup, heldSum, readHeld, returnedGroup } from './work-payments'
import { safely } from './work-read'
import { customersGroup, paykeyGroup } from './work-reviews'

/** Everything that waits, each part on its own way; none of them ever rejects. */
export type Work = { reads: Readonly<Record<WorkId, Promise<WorkRead>>>; held: Promise<Held | null> }

/** Begins to read every queue of a desk, seen from `now` (milliseconds). */
export function startWork(desk: Desk, now: number): Work {
  const held = safely(() => readHeld(desk))
  const queue = (work: () => Promise<WorkRead>): Promise<WorkRead> => safely(work)
  return {
    held: held.then((read) => heldSum(desk, read)),
    reads: {
      outcomes: queue(() => outcomesGroup(desk)),
      payouts_held: queue(async () => heldGroup(desk, await held, 'payout', now)),
      charges_held: queue(async () => heldGroup(desk, await held, 'charge', now)),
      paykeys_review: queue(() => paykeyGroup(desk, 'paykeys_review', held)),
      customers_review: queue(() => customersGroup(desk)),
      paykeys_unblockable: queue(() => paykeyGroup(desk, 'paykeys_unblockable', held)),
      returned: queue(() => returnedGroup(desk, now)),
      accounts_created: queue(() => accountsGroup(desk, 'created')),
      capability_requests: queue(() => requestsGroup(desk)),
      accounts_onboarding: queue(() => accountsGroup(desk, 'onboarding')),
    },
  }
}

/** What was read in time; the sum of held payments is undefined where it was not. */
export type EarlyWork = { reads: Partial<Record<WorkId, WorkRead>>; held: Held | null | undefined }

/**
 * What is read within some milliseconds. It is placed on the page as it is; the rest comes later, into places of a fixed size, so that nothing
 * moves.
 */
export async function readWithin(work: Work, milliseconds: number): Promise<EarlyWork> {
  const early: EarlyWork = { reads: {}, held: undefined }
  const noting = Object.entries(work.reads).map(async ([id, read]) => {
    early.reads[id as WorkId] = await read
  })
  const holding = work.held.then((held) => {
    early.held = held
  })
  await Promise.race([Promise.all([...noting, holding]), wait(milliseconds)])
  return { ...early, reads: { ...early.reads } }
}

/** The roles a person holds over what the page shows; for one who holds single accounts, those of any of them. */
export async function rolesOver(desk: Desk): Promise<readonly Role[]> {
  if (!desk.needsAccount) return desk.person.roles
  const actor = await currentActor()
  const held = desk.accounts.flatMap(({ id }) => (actor ? rolesIn(actor.grants, desk.environment, parseAccount(id)) : []))
  return [...new Set(held)]
}
