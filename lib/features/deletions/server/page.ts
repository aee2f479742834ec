import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import { type DeletionCertificate, type DeletionView, deletionsFilter, type ImpactRead } from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import { parseAccount, requireScope, tryParseAccount } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import { parseFields } from '@/lib/server/http/input'
import { toReadFailure } from '@/lib/server/http/read'
import { findDeletion, listCustomerDeletions, listDeletions } from './deletions'
import { finishDeletions } from './finish'
import { computeImpact } from './impact'

/** Reads the impact of deleting a customer of the page's account. Errors are returned, not thrown. */
export async function readImpact(context: PageContext & { account: string }, customerId: string): Promise<ImpactRead> {
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const scope = requireScope(actor, context.environment, parseAccount(context.account))
    return { ok: true, data: await computeImpact(scope, customerId) }
  } catch (error) {
    const account = parseAccount(context.account)
    return toReadFailure(error, {
      name: 'customers.delete',
      actor,
      environment: context.environment,
      account,
      target: `customers/${customerId}`,
    })
  }
}

/** Returns the requests about a customer, the open one first, then the newest. Before that, it finishes deletions with a new outcome. */
export async function loadCustomerDeletions(context: PageContext, customerId: string): Promise<DeletionView[]> {
  const actor = await currentActor()
  if (!actor) return []
  await finishDeletions()
  const requests = await listCustomerDeletions(actor, context.environment, customerId)
  return requests.sort((one, other) => Number(other.state === 'requested') - Number(one.state === 'requested'))
}

/** A page of requests and the number in each state, or the error to show in its place. */
export type DeletionsRead =
  | ({ ok: true; readAt: string } & Awaited<ReturnType<typeof listDeletions>>)
  | { ok: false; error: WireError; requestId: string }

/** Returns a page of the requests that the person may see in the page's scope. `fields` are those of the list's filter. Never throws. */
export async function readDeletions(context: PageContext, fields: Record<string, unknown>): Promise<DeletionsRead> {
  const actor = await currentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const filter = parseFields(deletionsFilter, fields)
    await finishDeletions()
    const account = context.account ? parseAccount(context.account) : null
    const page = await listDeletions(actor, context.environment, { ...filter, account })
    return { ok: true, readAt: new Date().toISOString(), ...page }
  } catch (error) {
    return toReadFailure(error, {
      name: 'deletions.list',
      actor,
      environment: context.environment,
      account: tryParseAccount(context.account),
    })
  }
}

/** Returns one request of the page's environment with its certificate, or null. */
export async function loadDeletion(
  context: PageContext,
  id: string,
): Promise<{ view: DeletionView; certificate: DeletionCertificate | null } | null> {
  const actor = await currentActor()
  const foundDeletion = actor ? await findDeletion(actor, id) : null
  return foundDeletion && foundDeletion.view.environment === context.environment
    ? { view: foundDeletion.view, certificate: foundDeletion.certificate }
    : null
}
