import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import {
  type DeletionCertificate,
  type DeletionImpactResult,
  type DeletionView,
  deletionsFilter,
} from '@/lib/operations/deletion'
import type { PageContext } from '@/lib/operations/page-context'
import { parseAccountId, requireScope, tryParseAccountId } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import { parseFields } from '@/lib/server/http/input'
import { toReadFailure } from '@/lib/server/http/read'
import { findDeletion, listCustomerDeletions, listDeletions } from './deletions'
import { finishDeletions } from './finish'
import { computeImpact } from './impact'

/** Errors are returned, not thrown. */
export async function readDeletionImpact(
  { environment, account }: Pick<PageContext, 'environment' | 'account'>,
  customerId: string,
): Promise<DeletionImpactResult> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const scope = requireScope(actor, environment, account && parseAccountId(account))
    return { ok: true, data: await computeImpact(scope, customerId) }
  } catch (error) {
    return toReadFailure(error, {
      name: 'customers.delete',
      actor,
      environment,
      account: tryParseAccountId(account),
      target: `customers/${customerId}`,
    })
  }
}

/** The open request first, then the newest. Finishes deletions first, so the states are current. */
export async function loadCustomerDeletions(
  context: PageContext,
  customerId: string,
): Promise<DeletionView[]> {
  const actor = await getCurrentActor()
  if (!actor) return []
  await finishDeletions()
  const customerDeletions = await listCustomerDeletions(actor, context.environment, customerId)
  return customerDeletions.sort(
    (one, other) => Number(other.state === 'requested') - Number(one.state === 'requested'),
  )
}

export type DeletionsReadResult =
  | ({ ok: true; readAt: string } & Awaited<ReturnType<typeof listDeletions>>)
  | { ok: false; error: WireError; requestId: string }

/** `fields` is the filter, not parsed yet. Never throws. */
export async function readDeletions(
  context: PageContext,
  fields: Record<string, unknown>,
): Promise<DeletionsReadResult> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    const filter = parseFields(deletionsFilter, fields)
    await finishDeletions()
    const account = context.account ? parseAccountId(context.account) : null
    const deletionsPage = await listDeletions(actor, context.environment, { ...filter, account })
    return { ok: true, readAt: new Date().toISOString(), ...deletionsPage }
  } catch (error) {
    return toReadFailure(error, {
      name: 'deletions.list',
      actor,
      environment: context.environment,
      account: tryParseAccountId(context.account),
    })
  }
}

/** Null if this environment has no such deletion request, or the person may not see it. */
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
