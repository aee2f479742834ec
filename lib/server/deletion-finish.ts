import 'server-only'
import { and, eq, gte, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Action } from './actions/book'
import { answerPlace } from './actions/mentions'
import { appendAudit } from './audit/chain'
import { certificateHash, certify, subjectOf } from './deletion-certificate'
import { targetsOf } from './deletion-impact'
import { actionsAbout, type Purge, purge } from './deletion-purge'
import { belongingsOf } from './deletion-reads'
import type { Deletion } from './deletions'
import { decrypt } from './encryption'
import { log } from './log'
import { wholePlatform } from './scoped-account'
import { deletions } from './store/desk-schema'
import { actions } from './store/schema'
import { database } from './store/store'

/** Shorter names are parts of other words, and striking them out would take other people's sentences. */
const shortest = 4

/** What the answer of the deletion calls the person; it is the last that does, and goes with the rest. */
function wordsOf({ id, answer }: Action): string[] {
  if (!answer) return []
  try {
    const { name, external_id } = JSON.parse(decrypt(answer, answerPlace(id)).toString('utf8')) as Record<string, unknown>
    return [name, external_id].filter((word): word is string => typeof word === 'string' && word.trim().length >= shortest)
  } catch {
    return []
  }
}

/** What belongs to the customer, as the service still tells it; what our own book says is enough where it does not. */
async function targetsNow({ environment, customerId }: Deletion): Promise<string[]> {
  // Asked for the whole platform, because a reading in an account would write the index entries anew that are about to go.
  const scope = wholePlatform(environment, { person: null, priority: 'background' })
  const belongings = await belongingsOf(scope, customerId).catch((error: unknown) => {
    // Room for the question comes within seconds, and a purge is not done twice.
    if (error instanceof AppError && (error.code === 'too_many' || error.code === 'unavailable')) throw error
    return { paykeys: [], payments: [] }
  })
  return targetsOf(customerId, belongings)
}

async function finish(deletion: Deletion, action: Action): Promise<void> {
  const db = await database()
  const [own, told] = [await actionsAbout(db, deletion), await targetsNow(deletion)]
  const all: Purge = { actionIds: own.ids, targets: [...new Set([...own.targets, ...told])], words: wordsOf(action) }
  await db.transaction(async (tx) => {
    const [open] = await tx
      .select({ id: deletions.id })
      .from(deletions)
      .where(and(eq(deletions.id, deletion.id), eq(deletions.state, 'requested')))
      .for('update')
    if (!open) return
    const purged = await purge(tx, deletion, all)
    const certificate = await certify(tx, deletion, action, purged)
    const hash = certificateHash(certificate)
    await tx
      .update(deletions)
      .set({
        state: 'executed',
        actionId: action.id,
        executedBy: action.actorId,
        executedAt: action.settledAt ?? sql`now()`,
        certificate,
        certificateHash: hash,
      })
      .where(eq(deletions.id, deletion.id))
    await appendAudit(tx, {
      code: 'deletions.certify.applied',
      actor: action.actorId,
      environment: deletion.environment,
      account: deletion.accountId,
      target: `customers/${deletion.customerId}`,
      action: action.id,
      subject: subjectOf(deletion),
      body_sha256: hash,
    })
  })
  log.info({ event: 'deletion.finished', action_id: action.id, environment: deletion.environment })
}

/**
 * Finishes every deletion that the service has carried out: purges what we hold, issues the certificate. However its outcome came to be known, at
 * once, by a replay or by a person, and whoever comes to it first; each is finished once. Never throws: what fails is tried again later.
 */
export async function finishDeletions(): Promise<void> {
  try {
    const db = await database()
    const done = await db
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
    for (const { deletion, action } of done) await finish(deletion, action)
  } catch (error) {
    log.error({ event: 'deletion.not_finished', code: error instanceof Error ? error.name : 'unknown' })
  }
}

const every = 15_000

/** Looks for deletions to finish every quarter of a minute, for those whose outcome became known while nobody waited. */
export function startDeletions(): { stop: () => void } {
  const timer = setInterval(() => void finishDeletions(), every)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
