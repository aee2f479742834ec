import 'server-only'
import { and, eq, gte, ne } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { registerJob, registerOperation, registerStartCheck } from '@/lib/server/http/registration'
import { throwNotSent } from '@/lib/server/service/service-read'
import { actions } from '@/lib/server/store/schema/actions'
import { deletions } from '@/lib/server/store/schema/desk'
import { database } from '@/lib/server/store/store'
import { type Deletion, findOpenDeletion } from './deletions'
import { listUnreadableDeletions } from './executed-deletions'
import { finishDeletions, startDeletions } from './finish'
import { computeImpact } from './impact'

async function refuseWithAudit(newAction: NewAction, fault: string, error: AppError): Promise<never> {
  await recordAudit({
    code: 'customers.delete.blocked',
    ...toActorFields(newAction.actor),
    environment: newAction.scope.environment,
    account: newAction.scope.accountId,
    target: newAction.target,
    fault,
  })
  throw error
}

/**
 * Returns a check that runs in the transaction that records the deletion. It throws `changed`, which rolls back the recording, if the
 * request was carried out while the impact was read. A deletion that another window sent is settled then, so it is no longer a blocker.
 */
const createExecutedCheck =
  (request: Deletion): ExtraRowsWriter =>
  async (tx, action) => {
    const [openRequest] = await tx
      .select({ id: deletions.id })
      .from(deletions)
      .where(and(eq(deletions.id, request.id), eq(deletions.state, 'requested')))
      .for('update')
    const [applied] = await tx
      .select({ id: actions.id })
      .from(actions)
      .where(
        and(
          eq(actions.environment, action.environment),
          eq(actions.target, `customers/${request.customerId}`),
          eq(actions.operation, action.operation),
          eq(actions.state, 'applied'),
          gte(actions.createdAt, request.createdAt),
          ne(actions.id, action.id),
        ),
      )
      .limit(1)
    if (openRequest && !applied) return
    throw new AppError('changed', 'This deletion request was carried out at the same time. Nothing was sent')
  }

/**
 * Permits the deletion of a customer only with an open request and without blockers. The impact is read again just before sending, and
 * stored with the request. Throws `bad_request` without an open request, `changed` with the blockers, and read errors. No action is
 * recorded then.
 */
async function refuseUncleared(newAction: NewAction): Promise<{ alsoWrite: ExtraRowsWriter; askedBy: string }> {
  const customerId = newAction.target?.split('/')[1] ?? ''
  const db = await database()
  const request = await findOpenDeletion(db, newAction.scope.environment, customerId)
  if (request?.accountId !== newAction.scope.accountId) {
    const detail = 'A customer can be deleted only on an open deletion request, with a requester and a legal ground. Nothing was sent'
    return refuseWithAudit(newAction, 'no_request', new AppError('bad_request', detail))
  }
  const impact = await computeImpact(newAction.scope, customerId, newAction.key).catch(throwNotSent('The records affected by the deletion'))
  const { blockers, ...kept } = impact
  if (blockers.length > 0) {
    const blockersText = blockers.map(({ text }) => text).join(' ')
    return refuseWithAudit(newAction, blockers[0]?.id ?? 'blocked', new AppError('changed', `${blockersText} Nothing was sent`))
  }
  await db
    .update(deletions)
    .set({ impact: kept })
    .where(and(eq(deletions.id, request.id), eq(deletions.state, 'requested')))
  return { alsoWrite: createExecutedCheck(request), askedBy: request.requestedBy }
}

registerOperation('customers.delete', { before: refuseUncleared, after: finishDeletions })
registerStartCheck(listUnreadableDeletions)
// Finishes deletions whose outcome became known in the background.
registerJob(startDeletions)
