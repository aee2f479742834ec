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
import { deletions } from '@/lib/server/store/schema/desk'
import { database } from '@/lib/server/store/store'
import { createCertificate, type Deletion, getExecutorId, hashCertificate, notifyDeletionChanged, toSubjectPseudonym } from './deletions'
import { reapplyDeletions, saveExecutedDeletion } from './executed-deletions'
import { readCustomerObjects, toCustomerTargets } from './impact'
import { collectTraces, listNameWords, purgeCustomer, purgeMirror } from './purge'

/** Returns the words that name the person, from the deletion's stored response. No other source contains them, and it is erased too. */
function decryptNameWords({ id, answer }: Action): string[] {
  if (!answer) return []
  try {
    return listNameWords(JSON.parse(decrypt(answer, toAnswerAad(id)).toString('utf8')) as Record<string, unknown>)
  } catch {
    return []
  }
}

/** Returns the customer's objects that the service still lists. If the service cannot be read, the objects in our action log are enough. */
async function readCurrentTargets({ environment, customerId }: Deletion): Promise<string[]> {
  const scope = createPlatformScope(environment, { person: null, priority: 'background' })
  const customerObjects = await readCustomerObjects(scope, customerId).catch((error: unknown) => {
    // These errors are thrown, so that the deletion is retried: the rate limit has capacity again within seconds, and an incomplete purge
    // would not be repeated.
    if (error instanceof AppError && (error.code === 'too_many' || error.code === 'unavailable')) throw error
    return { paykeys: [], payments: [] }
  })
  return toCustomerTargets(customerId, customerObjects)
}

async function finishDeletion(deletion: Deletion, action: Action): Promise<void> {
  const db = await database()
  const traces = await collectTraces(deletion, { targets: await readCurrentTargets(deletion), words: decryptNameWords(action) })
  const index = await purgeMirror(deletion, traces)
  saveExecutedDeletion(deletion, traces)
  await db.transaction(async (tx) => {
    const [open] = await tx
      .select({ id: deletions.id })
      .from(deletions)
      .where(and(eq(deletions.id, deletion.id), eq(deletions.state, 'requested')))
      .for('update')
    if (!open) return
    const purgedCounts = await purgeCustomer(tx, deletion, traces)
    const certificate = await createCertificate(tx, deletion, action, { ...purgedCounts, index })
    const hash = hashCertificate(certificate)
    await tx
      .update(deletions)
      .set({
        state: 'executed',
        actionId: action.id,
        executedBy: getExecutorId(action),
        executedAt: action.settledAt ?? sql`now()`,
        certificate,
        certificateHash: hash,
      })
      .where(eq(deletions.id, deletion.id))
    await appendAudit(tx, {
      code: 'deletions.certify.applied',
      actor: getExecutorId(action),
      environment: deletion.environment,
      account: deletion.accountId,
      target: `customers/${deletion.customerId}`,
      action: action.id,
      subject: toSubjectPseudonym(deletion),
      body_sha256: hash,
    })
    await notifyDeletionChanged(tx, deletion)
  })
  log.info({ event: 'deletion.finished', action_id: action.id, environment: deletion.environment })
}

/**
 * Finishes every deletion that the service has carried out: purges our data and creates the certificate. The outcome may have been known at
 * once, after a repeated request, or by a person's decision. Each deletion is finished once. Never throws: failures are retried later.
 */
export async function finishDeletions(): Promise<void> {
  try {
    const db = await database()
    const executedDeletions = await db
      .select({ deletion: deletions, action: actions })
      .from(deletions)
      .innerJoin(
        actions,
        and(
          eq(actions.environment, deletions.environment),
          eq(actions.target, sql`'customers/' || ${deletions.customerId}::text`),
          eq(actions.operation, 'customers.delete'),
          eq(actions.state, 'applied'),
          gte(actions.createdAt, deletions.createdAt),
        ),
      )
      .where(eq(deletions.state, 'requested'))
    for (const { deletion, action } of executedDeletions) await finishDeletion(deletion, action)
  } catch (error) {
    log.error({ event: 'deletion.not_finished', code: getErrorCode(error) })
  }
}

const intervalMs = 15_000

/**
 * Finishes deletions every 15 seconds, because some outcomes become known in the background. First applies the deletions again that a
 * restored database does not contain.
 */
export function startDeletions(): { stop: () => void } {
  let isRestored = false
  const runOnce = async () => {
    if (!isRestored) isRestored = await reapplyDeletions()
    await finishDeletions()
  }
  void runOnce()
  const timer = setInterval(() => void runOnce(), intervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
