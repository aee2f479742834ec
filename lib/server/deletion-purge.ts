import 'server-only'
import { and, arrayContains, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { Purged } from '@/lib/operations/deletion'
import { readOlderRows } from './actions/erase'
import type { Deletion } from './deletions'
import { limitRequests, requestLog, savedViews } from './store/desk-schema'
import { actions, objectAccounts, payloads } from './store/schema'
import type { Db } from './store/store'

/** What stands where a sentence was. Its code stays, so that the statistics of reasons stay true. */
const removed = 'removed with the customer'

/** The actions of the account that speak of the customer in what was sent or answered, and the objects those were about. */
export async function actionsAbout(
  db: Db,
  { environment, accountId, customerId }: Deletion,
): Promise<{ ids: string[]; targets: string[] }> {
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

const plainDecision = sql`${actions.decision} || jsonb_build_object('evidence', ${removed}::text)`

/** Everything personal an action may hold, gone; operation, person, times, key, ids and codes stay. */
const emptied = { body: null, answer: null, mentions: sql`'{}'::uuid[]`, reason: codeOnly, error: plainError, decision: plainDecision }

async function emptyActions(tx: Db, which: SQL | undefined): Promise<{ actions: number; uploads: number }> {
  const settled = inArray(actions.state, ['applied', 'refused'])
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
  return reasons.length + limits.length
}

async function purgeViews(tx: Db, { environment, customerId }: Deletion, words: readonly string[]): Promise<number> {
  // A search stands in a view as it stands in a URL.
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

/** What is to go: the rows that speak of the customer, their objects, and the words that name the person. */
export type Purge = { actionIds: readonly string[]; targets: readonly string[]; words: readonly string[] }

/**
 * Takes a deleted customer out of our own records: bodies, answers, sentences, file names, error texts, index entries, saved views. The audit chain
 * holds none of it and stays. Runs inside the transaction that says the deletion is done, so that neither is there without the other.
 */
export async function purge(tx: Db, deletion: Deletion, { actionIds, targets, words }: Purge): Promise<Purged> {
  const { environment } = deletion
  const about = and(eq(actions.environment, environment), inArray(actions.target, [...targets]))
  const which = actionIds.length > 0 ? or(about, inArray(actions.id, [...actionIds])) : about
  const found = await emptyActions(tx, which)
  const calls = await tx
    .update(requestLog)
    .set({ errorDetail: null })
    .where(and(eq(requestLog.environment, environment), inArray(requestLog.target, [...targets]), isNotNull(requestLog.errorDetail)))
    .returning({ id: requestLog.id })
  const gone = targets.filter((target) => /^(customers|paykeys)\//.test(target))
  const index = await tx
    .delete(objectAccounts)
    .where(and(eq(objectAccounts.environment, environment), inArray(objectAccounts.target, gone)))
    .returning({ target: objectAccounts.target })
  const views = await purgeViews(tx, deletion, words)
  return { ...found, calls: calls.length, index: index.length, views, texts: await purgeTexts(tx, deletion, words) }
}
