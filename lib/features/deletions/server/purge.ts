import 'server-only'
import { and, arrayContains, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { notSentStates } from '@/lib/operations/answer'
import type { PurgedCounts } from '@/lib/operations/deletion'
import { redactAuthorizationDetails } from '@/lib/server/actions/authorization-details'
import { migrateOlderRows } from '@/lib/server/actions/erase'
import { forgetObjects, forgetWords } from '@/lib/server/mirror/forget'
import { purgeNotes } from '@/lib/server/notes/notes'
import { actions, payloads } from '@/lib/server/store/schema/actions'
import { requestLog } from '@/lib/server/store/schema/audit'
import { limitRequests, savedViews } from '@/lib/server/store/schema/desk'
import { type Db, database } from '@/lib/server/store/store'
import { clearCustomerPayloads } from '@/lib/server/webhooks/process'
import type { Deletion } from './deletions'

/** The customer whose data is to be erased. */
export type ErasedCustomer = Pick<Deletion, 'environment' | 'accountId' | 'customerId'>

/** The text in place of an erased sentence. The code before it stays, so that statistics of reasons remain correct. */
const removedText = 'removed with the customer'

/** Returns the ids of the account's actions that mention the customer in the request or the response, and the targets of those actions. */
async function findMentioningActions(
  db: Db,
  { environment, accountId, customerId }: ErasedCustomer,
): Promise<{ ids: string[]; targets: string[] }> {
  // Rows of older versions have no `mentions` until this fills them in.
  await migrateOlderRows()
  const foundActions = await db
    .select({ id: actions.id, target: actions.target })
    .from(actions)
    .where(and(eq(actions.environment, environment), eq(actions.accountId, accountId), arrayContains(actions.mentions, [customerId])))
  const targets = foundActions.flatMap(({ target }) => (target ? [target] : []))
  return { ids: foundActions.map(({ id }) => id), targets: [...new Set([`customers/${customerId}`, ...targets])] }
}

/** SQL: the reason with its code, and `removed` in place of its sentence. */
const reasonCodeOnly = sql`regexp_replace(${actions.reason}, '^([A-Z][A-Z_]{2,39}): .*$', '\\1: ' || ${removedText}::text)`

const plainError = sql`(${actions.error} || jsonb_build_object('detail', ${actions.error} -> 'title')) - 'items'`

const plainProposal = sql`${actions.proposal} || jsonb_build_object('evidence', ${removedText}::text)`

const plainApproval = sql`${actions.approval} || jsonb_build_object('reason', null)`

const plainDecision = sql`${actions.decision} || jsonb_build_object('evidence', ${removedText}::text)`

/** The column values that remove all personal data from an action. Operation, person, times, key, ids and codes stay. */
const redactedColumns = {
  body: null,
  answer: null,
  proof: null,
  mentions: sql`'{}'::uuid[]`,
  reason: reasonCodeOnly,
  error: plainError,
  decision: plainDecision,
  proposal: plainProposal,
  approval: plainApproval,
  seen: null,
}

async function clearActions(tx: Db, which: SQL | undefined): Promise<{ actions: number; uploads: number }> {
  const settledCondition = inArray(actions.state, ['applied', 'refused', ...notSentStates])
  const rows = await tx.update(actions).set(redactedColumns).where(and(which, settledCondition)).returning({ payloadId: actions.payloadId })
  const files = rows.flatMap(({ payloadId }) => (payloadId ? [payloadId] : []))
  if (files.length > 0) await tx.update(payloads).set({ name: 'removed' }).where(inArray(payloads.id, files))
  return { actions: rows.length, uploads: files.length }
}

/** SQL condition: the free text of a column contains one of the words, ignoring case. */
const containsAnyWord = (column: SQL | typeof actions.reason | typeof savedViews.search, words: readonly string[]) =>
  or(...words.map((word) => sql`position(lower(${word}::text) in lower(${column})) > 0`))

async function purgeTexts(tx: Db, { environment }: ErasedCustomer, words: readonly string[]): Promise<number> {
  if (words.length === 0) return 0
  const reasons = await tx
    .update(actions)
    .set({ reason: reasonCodeOnly })
    .where(and(eq(actions.environment, environment), containsAnyWord(actions.reason, words)))
    .returning({ id: actions.id })
  const limits = await tx
    .update(limitRequests)
    .set({ justification: removedText })
    .where(and(eq(limitRequests.environment, environment), containsAnyWord(sql`${limitRequests.justification}`, words)))
    .returning({ id: limitRequests.id })
  return reasons.length + limits.length + (await redactAuthorizationDetails(tx, environment, words, removedText))
}

async function purgeViews(tx: Db, { environment, customerId }: ErasedCustomer, words: readonly string[]): Promise<number> {
  // A view stores its search as it is encoded in a URL.
  const searchForms = [
    customerId,
    ...words.flatMap((word) => [word, encodeURIComponent(word), new URLSearchParams({ w: word }).toString().slice(2)]),
  ]
  const rows = await tx
    .delete(savedViews)
    .where(
      and(
        eq(savedViews.environment, environment),
        or(containsAnyWord(savedViews.search, searchForms), containsAnyWord(sql`${savedViews.name}`, searchForms)),
      ),
    )
    .returning({ id: savedViews.id })
  return rows.length
}

/** The data to erase: actions that mention the customer, their targets, and the words that name the person. */
export type CustomerTraces = { actionIds: readonly string[]; targets: readonly string[]; words: readonly string[] }

/** Minimum length of a name to erase. A shorter name is part of other words too, so sentences about other people would be erased. */
const minNameLength = 4

/** Returns the words that name the person, from the customer's object. */
export const listNameWords = (customer: Record<string, unknown> | null): string[] =>
  [customer?.name, customer?.external_id].filter((word): word is string => typeof word === 'string' && word.trim().length >= minNameLength)

/** Returns the data to erase for a customer: the actions in our own log and their targets, and the `known` targets and words. */
export async function collectTraces(deletion: ErasedCustomer, known: Pick<CustomerTraces, 'targets' | 'words'>): Promise<CustomerTraces> {
  const actionTraces = await findMentioningActions(await database(), deletion)
  return { actionIds: actionTraces.ids, targets: [...new Set([...actionTraces.targets, ...known.targets])], words: known.words }
}

/**
 * Removes a deleted customer from the mirror and returns the number of removed rows. It can be repeated safely, so it runs before the
 * transaction that purges the rest.
 */
export async function purgeMirror({ environment, customerId }: ErasedCustomer, { targets, words }: CustomerTraces): Promise<number> {
  const paykeys = targets.flatMap((target) => (target.startsWith('paykeys/') ? target.slice('paykeys/'.length) : []))
  const customers = await forgetObjects(environment, 'customers', [customerId])
  const index = customers + (await forgetObjects(environment, 'paykeys', paykeys))
  await forgetWords(environment, words)
  return index
}

/**
 * Erases a deleted customer from our own records: requests, responses, sentences, texts of proofs, file names, error texts and saved views.
 * The audit chain contains none of this and stays. Runs in the transaction that marks the deletion as done, so that both happen or neither
 * does.
 */
export async function purgeCustomer(
  tx: Db,
  deletion: ErasedCustomer,
  { actionIds, targets, words }: CustomerTraces,
): Promise<Omit<PurgedCounts, 'index'>> {
  const { environment } = deletion
  const aboutCondition = and(eq(actions.environment, environment), inArray(actions.target, [...targets]))
  const actionsCondition = actionIds.length > 0 ? or(aboutCondition, inArray(actions.id, [...actionIds])) : aboutCondition
  const clearedCounts = await clearActions(tx, actionsCondition)
  const calls = await tx
    .update(requestLog)
    .set({ errorDetail: null })
    .where(and(eq(requestLog.environment, environment), inArray(requestLog.target, [...targets]), isNotNull(requestLog.errorDetail)))
    .returning({ id: requestLog.id })
  const views = await purgeViews(tx, deletion, words)
  const notes = await purgeNotes(tx, environment, targets, words)
  const texts = await purgeTexts(tx, deletion, words)
  await clearCustomerPayloads(tx, environment, deletion.customerId)
  return { ...clearedCounts, calls: calls.length, views, notes, texts }
}
