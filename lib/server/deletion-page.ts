import 'server-only'
import { AppError } from '@/lib/errors'
import type { DeletionCertificate, DeletionView, ImpactRead } from '@/lib/operations/deletion'
import type { Desk } from '@/lib/operations/desk'
import { finishDeletions } from './deletion-finish'
import { impactOf } from './deletion-impact'
import { type DeletionFilter, deletionsOf, findDeletion, listDeletions } from './deletions'
import { failedRead } from './read'
import { parseAccount, scopeOf } from './scoped-account'
import { currentActor } from './session'

/** Reads what deleting a customer of the desk's account would touch. Never throws for what the service or a permission says. */
export async function readImpact(desk: Desk & { account: string }, customerId: string): Promise<ImpactRead> {
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const scope = scopeOf(actor, desk.environment, parseAccount(desk.account))
    return { ok: true, data: await impactOf(scope, customerId) }
  } catch (error) {
    const account = parseAccount(desk.account)
    return failedRead(error, { name: 'customers.delete', actor, environment: desk.environment, account, target: `customers/${customerId}` })
  }
}

/** The requests about a customer, the open one first, then the newest; a deletion whose outcome just became known is finished before it is shown. */
export async function requestsFor(desk: Desk, customerId: string): Promise<DeletionView[]> {
  const actor = await currentActor()
  if (!actor) return []
  await finishDeletions()
  const requests = await deletionsOf(actor, desk.environment, customerId)
  return requests.sort((one, other) => Number(other.state === 'requested') - Number(one.state === 'requested'))
}

/** One page of the requests the person may see in the desk's scope. */
export async function requestsIn(desk: Desk, filter: Omit<DeletionFilter, 'account'>) {
  const actor = await currentActor()
  if (!actor) return { deletions: [], counts: {} }
  await finishDeletions()
  return listDeletions(actor, desk.environment, { ...filter, account: desk.account ? parseAccount(desk.account) : null })
}

/** One request of the desk's environment with its certificate, or null. */
export async function requestOf(desk: Desk, id: string): Promise<{ view: DeletionView; certificate: DeletionCertificate | null } | null> {
  const actor = await currentActor()
  const found = actor ? await findDeletion(actor, id) : null
  return found && found.view.environment === desk.environment ? { view: found.view, certificate: found.certificate } : null
}
