import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Draft } from './actions/book'
import { asNotSent } from './actions/fill'
import { recordAudit } from './audit/chain'
import { doneBy } from './audit/client'
import { impactOf } from './deletion-impact'
import { openDeletion } from './deletions'
import { deletions } from './store/desk-schema'
import { database } from './store/store'

async function refuse(draft: Draft, fault: string, error: AppError): Promise<never> {
  await recordAudit({
    code: 'customers.delete.blocked',
    ...doneBy(draft.actor),
    environment: draft.scope.environment,
    account: draft.scope.accountId,
    target: draft.target,
    fault,
  })
  throw error
}

/**
 * Lets a customer be deleted on an open request only, and only while nothing stands in its way; what would be touched is read anew just before it is
 * sent, and kept with the request. Throws `bad_request` without a request, `changed` naming what is in the way, and
 * what a read throws; nothing is booked then.
 */
export async function refuseUncleared(draft: Draft): Promise<null> {
  const customerId = draft.target?.split('/')[1] ?? ''
  const db = await database()
  const request = await openDeletion(db, draft.scope.environment, customerId)
  if (request?.accountId !== draft.scope.accountId) {
    const detail = 'A customer is deleted on an open request only, which says who asks and on which ground. Nothing was sent'
    return refuse(draft, 'no_request', new AppError('bad_request', detail))
  }
  const impact = await impactOf(draft.scope, customerId, draft.key).catch(asNotSent('What the deletion would touch'))
  const { blockers, ...kept } = impact
  if (blockers.length > 0) {
    const why = blockers.map(({ text }) => text).join(' ')
    return refuse(draft, blockers[0]?.id ?? 'blocked', new AppError('changed', `${why} Nothing was sent`))
  }
  await db.update(deletions).set({ impact: kept }).where(eq(deletions.id, request.id))
  return null
}
