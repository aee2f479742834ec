import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import {
  type DeletionCertificate,
  type DeletionView,
  deletionsFilter,
  type ImpactRead,
} from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import { parseAccountId, requireScope, tryParseAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { parseFields } from '@/lib/server/http/input'
import { toReadFailure } from '@/lib/server/http/read'
import { findDeletion, listCustomerDeletions, listDeletions } from './deletions'
import { finishDeletions } from './finish'
import { computeImpact } from './impact'

/**
 * Reads the impact of deleting a customer: the records it would affect, and the reasons that block
 * it. Errors are returned, not thrown.
 */
export async function readImpact(
  context: PageContext & { account: string },
  customerId: string,
): Promise<ImpactRead> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const scope = requireScope(actor, context.environment, parseAccountId(context.account))
    return { ok: true, data: await computeImpact(scope, customerId) }
  } catch (error) {
    const account = parseAccountId(context.account)
    return toReadFailure(error, {
      name: 'customers.delete',
      actor,
      environment: context.environment,
      account,
      target: `customers/${customerId}`,
    })
  }
}

/**
 * Returns the deletion requests for a customer: first the open one, then the others, newest first.
 * Before reading them, finishes deletions that the service has carried out, so that the states are
 * current.
 */
export async function loadCustomerDeletions(
  context: PageContext,
  customerId: string,
): Promise<DeletionView[]> {
  const actor = await getCurrentActor()
  if (!actor) return []
  await finishDeletions()
  const requests = await listCustomerDeletions(actor, context.environment, customerId)
  return requests.sort(
    (one, other) => Number(other.state === 'requested') - Number(one.state === 'requested'),
  )
}

/**
 * A page of deletion requests with the number of requests in each state, or the error to show in
 * its place.
 */
export type DeletionsRead =
  | ({ ok: true; readAt: string } & Awaited<ReturnType<typeof listDeletions>>)
  | { ok: false; error: WireError; requestId: string }

/**
 * Returns a page of the deletion requests in the page's account that the person may see. `fields`
 * is the list's filter, not parsed yet. Never throws.
 */
export async function readDeletions(
  context: PageContext,
  fields: Record<string, unknown>,
): Promise<DeletionsRead> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const filter = parseFields(deletionsFilter, fields)
    await finishDeletions()
    const account = context.account ? parseAccountId(context.account) : null
    const page = await listDeletions(actor, context.environment, { ...filter, account })
    return { ok: true, readAt: new Date().toISOString(), ...page }
  } catch (error) {
    return toReadFailure(error, {
      name: 'deletions.list',
      actor,
      environment: context.environment,
      account: tryParseAccountId(context.account),
    })
  }
}

/**
 * Returns one deletion request of the page's environment, with its certificate if there is one.
 * Null if the person may not see the request.
 */
export async function loadDeletion(
  context: PageContext,
  id: string,
): Promise<{ view: DeletionView; certificate: DeletionCertificate | null } | null> {
  const actor = await getCurrentActor()
  const foundDeletion = actor ? await findDeletion(actor, id) : null
  return foundDeletion && foundDeletion.view.environment === context.environment
    ? { view: foundDeletion.view, certificate: foundDeletion.certificate }
    : null
}
