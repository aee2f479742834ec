import 'server-only'
import { and, arrayContains, eq, gte, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { notSentStates } from '@/lib/operations/answer'
import type { Purged } from '@/lib/operations/deletion'
import type { Action } from '@/lib/server/actions/action-log'
import { answerPlace, readOlderRows } from '@/lib/server/actions/erase'
import { purgeProofs } from '@/lib/server/actions/proofs'
import { appendAudit } from '@/lib/server/audit/chain'
import { wholePlatform } from '@/lib/server/auth/scoped-account'
import { log } from '@/lib/server/log'
import { forgetObjects, forgetWords } from '@/lib/server/mirror/forget'
import { purgeNotes } from '@/lib/server/notes/notes'
import { deletions, limitRequests, requestLog, savedViews } from '@/lib/server/store/desk-schema'
import { decrypt } from '@/lib/server/store/encryption'
import { payloads } from '@/lib/server/store/payload-schema'
import { actions } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import { forgetCustomer } from '@/lib/server/webhooks/process'
import { certificateHash, certify, type Deletion, executorOf, subjectOf, tellOfDeletion } from './deletions'
import { belongingsOf, targetsOf } from './impact'

/** What is put where a sentence was. Its code stays, so that the statistics of reasons stay true. */
const removed = 'removed with the customer'

/** The actions of the account that speak of the customer in what was sent or answered, and the objects those were about. */
async function actionsAbout(db: Db, { environment, accountId, customerId }: Deletion): Promise<{ ids: string[]; targets: string[] }> {
  // Rows of older versions tell only once they were read.
  await readOlderRows()
  const found = await db
    .select({ id: actions.id, target: actions.target })
    .from(actions)
    .where(and(eq(actions.environment, environment), eq(actions.accountId, accountId), arrayContains(actions.mentions, [customerId])))
  const targets = found.flatMap(({ target }) => (target ? [target] : []))
  return { ids: found.map(({ id }) => id), targets: [...new Set([`customers/${customerId}`, ...targets])] }
}

/** A reason without its sentence. */
const codeOnly = sql`regexp_replace(${actions.reason}, '^([A-Z][A-Z_]{2,39}): .*$', '\\1: ' || ${removed}::text)`

const plainError = sql`(${actions.error} || jsonb_build_object('detail', ${actions.error} -> 'title')) - 'items'`

const plainProposal = sql`${actions.proposal} || jsonb_build_object('evidence', ${removed}::text)`

const plainApproval = sql`${actions.approval} || jsonb_build_object('reason', null)`

const plainDecision = sql`${actions.decision} || jsonb_build_object('evidence', ${removed}::text)`

/** Everything personal an action may hold, gone; operation, person, times, key, ids and codes stay. */
const emptied = {
  body: null,
  answer: null,
  proof: null,
  mentions: sql`'{}'::uuid[]`,
  reason: codeOnly,
  error: plainError,
  decision: plainDecision,
  proposal: plainProposal,
  approval: plainApproval,
  seen: null,
}

async function emptyActions(tx: Db, which: SQL | undefined): Promise<{ actions: number; uploads: number }> {
  const settled = inArray(actions.state, ['applied', 'refused', ...notSentStates])
  const rows = await tx.update(actions).set(emptied).where(and(which, settled)).returning({ payloadId: actions.payloadId })
  const files = rows.flatMap(({ payloadId }) => (payloadId ? [payloadId] : []))
  if (files.length > 0) await tx.update(payloads).set({ name: 'removed' }).where(inArray(payloads.id, files))
  return { actions: rows.length, uploads: files.length }
}

/** Whether a free text holds one of the words, whatever their case. */
const holds = (column: SQL | typeof actions.reason | typeof savedViews.search, words: readonly string[]) =>
  or(...words.map((word) => sql`position(lower(${word}::text) in lower(${column})) > 0`))

async function purgeTexts(tx: Db, { environment }: Deletion, words: readonly string[]): Promise<number> {
  if (words.length === 0) return 0
  const reasons = await tx
    .update(actions)
    .set({ reason: codeOnly })
    .where(and(eq(actions.environment, environment), holds(actions.reason, words)))
    .returning({ id: actions.id })
  const limits = await tx
    .update(limitRequests)
    .set({ justification: removed })
    .where(and(eq(limitRequests.environment, environment), holds(sql`${limitRequests.justification}`, words)))
    .returning({ id: limitRequests.id })
  return reasons.length + limits.length + (await purgeProofs(tx, environment, words, removed))
}

async function purgeViews(tx: Db, { environment, customerId }: Deletion, words: readonly string[]): Promise<number> {
  // A search is in a view as it is in a URL.
  const forms = [
    customerId,
    ...words.flatMap((word) => [word, encodeURIComponent(word), new URLSearchParams({ w: word }).toString().slice(2)]),
  ]
  const rows = await tx
    .delete(savedViews)
    .where(and(eq(savedViews.environment, environment), or(holds(savedViews.search, forms), holds(sql`${savedViews.name}`, forms))))
    .returning({ id: savedViews.id })
  return rows.length
}

/** What is to go: the rows that speak of the customer, their objects, and the words that name the person. `index` rows of the mirror have gone before. */
type Purge = { actionIds: readonly string[]; targets: readonly string[]; words: readonly string[]; index: number }

/**
 * Takes a deleted customer out of our own records: bodies, answers, sentences, what was said of proofs, file names, error texts, saved views. The audit chain
 * holds none of it and stays. Runs inside the transaction that says the deletion is done, so that neither is there without the other.
 */
async function purge(tx: Db, deletion: Deletion, { actionIds, targets, words, index }: Purge): Promise<Purged> {
  const { environment } = deletion
  const about = and(eq(actions.environment, environment), inArray(actions.target, [...targets]))
  const which = actionIds.length > 0 ? or(about, inArray(actions.id, [...actionIds])) : about
  const found = await emptyActions(tx, which)
  const calls = await tx
    .update(requestLog)
    .set({ errorDetail: null })
    .where(and(eq(requestLog.environment, environment), inArray(requestLog.target, [...targets]), isNotNull(requestLog.errorDetail)))
    .returning({ id: requestLog.id })
  const views = await purgeViews(tx, deletion, words)
  const notes = await purgeNotes(tx, environment, targets, words)
  return { ...found, calls: calls.length, index, views, notes, texts: await purgeTexts(tx, deletion, words) }
}

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

/** What belongs to the customer, as the service still tells it; what our own action log says is enough where it does not. */
async function targetsNow({ environment, customerId }: Deletion): Promise<string[]> {
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
  const targets = [...new Set([...own.targets, ...told])]
  const words = wordsOf(action)
  const paykeys = targets.flatMap((target) => (target.startsWith('paykeys/') ? target.slice('paykeys/'.length) : []))
  // Again and again to the same end, so it may come before the rest is certain.
  const customers = await forgetObjects(deletion.environment, 'customers', [deletion.customerId])
  const index = customers + (await forgetObjects(deletion.environment, 'paykeys', paykeys))
  await forgetWords(deletion.environment, words)
  await db.transaction(async (tx) => {
    const [open] = await tx
      .select({ id: deletions.id })
      .from(deletions)
      .where(and(eq(deletions.id, deletion.id), eq(deletions.state, 'requested')))
      .for('update')
    if (!open) return
    const purged = await purge(tx, deletion, { actionIds: own.ids, targets, words, index })
    await forgetCustomer(tx, deletion.environment, deletion.customerId)
    const certificate = await certify(tx, deletion, action, purged)
    const hash = certificateHash(certificate)
    await tx
      .update(deletions)
      .set({
        state: 'executed',
        actionId: action.id,
        executedBy: executorOf(action),
        executedAt: action.settledAt ?? sql`now()`,
        certificate,
        certificateHash: hash,
      })
      .where(eq(deletions.id, deletion.id))
    await appendAudit(tx, {
      code: 'deletions.certify.applied',
      actor: executorOf(action),
      environment: deletion.environment,
      account: deletion.accountId,
      target: `customers/${deletion.customerId}`,
      action: action.id,
      subject: subjectOf(deletion),
      body_sha256: hash,
    })
    await tellOfDeletion(tx, deletion)
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
