import 'server-only'
import { and, eq, gte, ne } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { getOwnerRule } from '@/lib/operations/ownership'
import type { ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import { recordAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { getIntegration } from '@/lib/server/config/integration'
import { registerJob, registerOperation, registerStartCheck } from '@/lib/server/http/registration'
import { createNotSentHandler } from '@/lib/server/service/service-read'
import { actions } from '@/lib/server/store/schema/actions'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import { type Deletion, findOpenDeletion } from './deletions'
import { listUnreadableDeletions } from './executed-deletions'
import { finishDeletions, startDeletionJob } from './finish'
import { computeImpact } from './impact'

async function refuseWithAudit(
  newAction: NewAction,
  fault: string,
  error: AppError,
): Promise<never> {
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
 * Throws `changed` if another window had the same request carried out while this one read the
 * impact. The blockers do not show this case, because they contain only open actions.
 */
const createOpenDeletionCheck =
  (request: Deletion): ExtraRowsWriter =>
  async (tx, action) => {
    const [openRequest] = await tx
      .select({ id: customerDeletions.id })
      .from(customerDeletions)
      .where(and(eq(customerDeletions.id, request.id), eq(customerDeletions.state, 'requested')))
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
    throw new AppError(
      'changed',
      'This deletion request was carried out at the same time. Nothing was sent',
    )
  }

const isOfSameAccount = ({ accountId }: Deletion, { scope }: NewAction): boolean =>
  accountId === scope.accountId ||
  getOwnerRule('customers', getIntegration(scope.environment)) === 'platform'

/**
 * Throws `bad_request` without an open request, `changed` with the blockers as text, and read
 * errors; no action is recorded then. Otherwise stores the impact with the request.
 */
async function requireDeletionAllowed(
  newAction: NewAction,
): Promise<{ alsoWrite: ExtraRowsWriter; askedBy: string }> {
  const customerId = newAction.target?.split('/')[1] ?? ''
  const db = await getDatabase()
  const openDeletion = await findOpenDeletion(db, newAction.scope.environment, customerId)
  if (!openDeletion || !isOfSameAccount(openDeletion, newAction)) {
    const errorDetail =
      'A customer can be deleted only on an open deletion request, with a requester and a legal ground. Nothing was sent'
    return refuseWithAudit(newAction, 'no_request', new AppError('bad_request', errorDetail))
  }
  const impact = await computeImpact(newAction.scope, customerId, newAction.key).catch(
    createNotSentHandler('The records affected by the deletion'),
  )
  const { blockers, ...kept } = impact
  if (blockers.length > 0) {
    const blockersText = blockers.map(({ text }) => text).join(' ')
    return refuseWithAudit(
      newAction,
      blockers[0]?.id ?? 'blocked',
      new AppError('changed', `${blockersText} Nothing was sent`),
    )
  }
  await db
    .update(customerDeletions)
    .set({ impact: kept })
    .where(and(eq(customerDeletions.id, openDeletion.id), eq(customerDeletions.state, 'requested')))
  return { alsoWrite: createOpenDeletionCheck(openDeletion), askedBy: openDeletion.requestedBy }
}

registerOperation('customers.delete', { before: requireDeletionAllowed, after: finishDeletions })
registerStartCheck(listUnreadableDeletions)
// Finishes deletions whose outcome became known in the background.
registerJob(startDeletionJob)
