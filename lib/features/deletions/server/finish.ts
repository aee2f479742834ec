import 'server-only'
import { and, eq, gte, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Action } from '@/lib/server/actions/action-log'
import { toAnswerAad } from '@/lib/server/actions/erase'
import { appendAudit } from '@/lib/server/audit/chain'
import { createPlatformScope } from '@/lib/server/auth/scoped-account'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { decrypt } from '@/lib/server/store/encryption'
import { actions } from '@/lib/server/store/schema/actions'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import {
  createCertificate,
  getExecutorId,
  hashCertificate,
  toSubjectPseudonym,
} from './certificate'
import { type Deletion, notifyDeletionChanged } from './deletions'
import { reapplyDeletions, saveExecutedDeletion } from './executed-deletions'
import { readCustomerObjects, toCustomerTargets } from './impact'
import { collectTraces, listIdentifyingTexts, purgeCustomer, purgeMirror } from './purge'

/**
 * Returns the customer's name and external id. Must run before the purge, which erases the response
 * that contains them.
 */
function decryptIdentifyingTexts({ id, answer }: Action): string[] {
  if (!answer) return []
  try {
    return listIdentifyingTexts(
      JSON.parse(decrypt(answer, toAnswerAad(id)).toString('utf8')) as Record<string, unknown>,
    )
  } catch {
    return []
  }
}

/**
 * The customer, and the objects that the service still lists for the customer. If the service
 * cannot be read, only the customer: `collectTraces` adds the objects in our action log.
 */
async function readCustomerTargets({ environment, customerId }: Deletion): Promise<string[]> {
  const backgroundScope = createPlatformScope(environment, { person: null, priority: 'background' })
  const customerObjects = await readCustomerObjects(backgroundScope, customerId).catch(
    (error: unknown) => {
      // Both errors are temporary: Paydesk's request limit is used up or cannot be checked. The next
      // run tries again. Without the list of objects, some could stay unpurged forever.
      if (error instanceof AppError && (error.code === 'too_many' || error.code === 'unavailable'))
        throw error
      return { paykeys: [], payments: [] }
    },
  )
  return toCustomerTargets(customerId, customerObjects)
}

async function finishDeletion(deletion: Deletion, action: Action): Promise<void> {
  const db = await getDatabase()
  const traces = await collectTraces(deletion, {
    targets: await readCustomerTargets(deletion),
    words: decryptIdentifyingTexts(action),
  })
  const removedMirrorRowCount = await purgeMirror(deletion, traces)
  saveExecutedDeletion(deletion, traces)
  const isFinishedNow = await db.transaction(async (tx) => {
    const [open] = await tx
      .select({ id: customerDeletions.id })
      .from(customerDeletions)
      .where(and(eq(customerDeletions.id, deletion.id), eq(customerDeletions.state, 'requested')))
      .for('update')
    if (!open) return false
    const purgedCounts = await purgeCustomer(tx, deletion, traces)
    const certificate = await createCertificate(tx, deletion, action, {
      ...purgedCounts,
      index: removedMirrorRowCount,
    })
    const certificateHash = hashCertificate(certificate)
    await tx
      .update(customerDeletions)
      .set({
        state: 'executed',
        actionId: action.id,
        executedBy: getExecutorId(action),
        executedAt: action.settledAt ?? sql`now()`,
        certificate,
        certificateHash: certificateHash,
      })
      .where(eq(customerDeletions.id, deletion.id))
    await appendAudit(tx, {
      code: 'deletions.certify.applied',
      actor: getExecutorId(action),
      environment: deletion.environment,
      account: deletion.accountId,
      target: `customers/${deletion.customerId}`,
      action: action.id,
      subject: toSubjectPseudonym(deletion),
      body_sha256: certificateHash,
    })
    await notifyDeletionChanged(tx, deletion)
    return true
  })
  if (isFinishedNow)
    log.info({
      event: 'deletion.finished',
      action_id: action.id,
      environment: deletion.environment,
    })
}

/**
 * Purges our data of each customer whose deletion succeeded, and creates the certificate. The
 * success may have become known from the first response, a repeated request or a person's decision.
 * Never throws: the next run retries a failure.
 */
export async function finishDeletions(): Promise<void> {
  try {
    const db = await getDatabase()
    const executedDeletions = await db
      .select({ deletion: customerDeletions, action: actions })
      .from(customerDeletions)
      .innerJoin(
        actions,
        and(
          eq(actions.environment, customerDeletions.environment),
          eq(actions.target, sql`'customers/' || ${customerDeletions.customerId}::text`),
          eq(actions.operation, 'customers.delete'),
          eq(actions.state, 'applied'),
          gte(actions.createdAt, customerDeletions.createdAt),
        ),
      )
      .where(eq(customerDeletions.state, 'requested'))
    for (const { deletion, action } of executedDeletions) await finishDeletion(deletion, action)
  } catch (error) {
    log.error({ event: 'deletion.not_finished', code: getErrorCode(error) })
  }
}

const finishIntervalMs = 15_000

/**
 * Runs regularly, because some outcomes become known in the background. The first run also repeats
 * the deletions that a restored database does not contain. If that fails, the following runs try
 * again.
 */
export function startDeletionJob(): { stop: () => void } {
  let hasReappliedDeletions = false
  const runDeletionJob = async () => {
    if (!hasReappliedDeletions) hasReappliedDeletions = await reapplyDeletions()
    await finishDeletions()
  }
  void runDeletionJob()
  const timer = setInterval(() => void runDeletionJob(), finishIntervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
