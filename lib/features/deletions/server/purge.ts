import 'server-only'
import { and, arrayContains, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { notSentStates } from '@/lib/operations/answer'
import type { PurgedCounts } from '@/lib/operations/deletion'
import { redactAuthorizationDetails } from '@/lib/server/actions/authorization-details'
import { migrateOlderActions } from '@/lib/server/actions/erase'
import { deletePayloadBytes } from '@/lib/server/actions/payloads'
import { deleteMirroredObjects, removePaymentTextsWithWords } from '@/lib/server/mirror/forget'
import { purgeNotes } from '@/lib/server/notes/notes'
import { actions, filePayloads } from '@/lib/server/store/schema/actions'
import { approvalQuestions } from '@/lib/server/store/schema/approvals'
import { requestLog } from '@/lib/server/store/schema/audit'
import { limitRequests, savedViews } from '@/lib/server/store/schema/desk'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { clearCustomerPayloads } from '@/lib/server/webhooks/process'
import type { Deletion } from './deletions'

export type ErasedCustomer = Pick<Deletion, 'environment' | 'accountId' | 'customerId'>

/**
 * Replaces erased texts. In a reason, the code before the sentence stays, so that statistics of
 * reasons stay correct.
 */
const redactionText = 'removed with the customer'

/**
 * Finds the actions that mention the customer in the request or the response. Also returns the
 * targets of these actions.
 */
async function findMentioningActions(
  db: Db,
  { environment, accountId, customerId }: ErasedCustomer,
): Promise<{ ids: string[]; targets: string[] }> {
  // Rows that an older version wrote have no `mentions` until this call adds them. Without it, the
  // query below would miss these rows.
  await migrateOlderActions()
  const foundActions = await db
    .select({ id: actions.id, target: actions.target })
    .from(actions)
    .where(
      and(
        eq(actions.environment, environment),
        // Actions of any account can name a customer of the platform.
        accountId === null ? undefined : eq(actions.accountId, accountId),
        arrayContains(actions.mentions, [customerId]),
      ),
    )
  const actionTargets = foundActions.flatMap(({ target }) => (target ? [target] : []))
  return {
    ids: foundActions.map(({ id }) => id),
    targets: [...new Set([`customers/${customerId}`, ...actionTargets])],
  }
}

/** SQL: the reason with its code, and with `redactionText` in place of its sentence. */
const redactedReason = sql`regexp_replace(${actions.reason}, '^([A-Z][A-Z_]{2,39}): .*$', '\\1: ' || ${redactionText}::text)`

const redactedError = sql`(${actions.error} || jsonb_build_object('detail', ${actions.error} -> 'title')) - 'items'`

const redactedProposal = sql`${actions.proposal} || jsonb_build_object('evidence', ${redactionText}::text)`

const redactedApproval = sql`${actions.approval} || jsonb_build_object('reason', null)`

const redactedDecision = sql`${actions.decision} || jsonb_build_object('evidence', ${redactionText}::text)`

/**
 * The columns of an action that a purge overwrites. Operation, acting person, times, key, ids and
 * codes stay.
 */
const redactedColumns = {
  body: null,
  answer: null,
  proof: null,
  mentions: sql`'{}'::uuid[]`,
  reason: redactedReason,
  error: redactedError,
  decision: redactedDecision,
  proposal: redactedProposal,
  approval: redactedApproval,
  seen: null,
}

/** Questions of approvers and answers are free texts about the record. */
const redactQuestions = (tx: Db, actionIds: readonly string[]) =>
  tx
    .update(approvalQuestions)
    .set({
      question: redactionText,
      answer: sql`case when ${approvalQuestions.answer} is not null then ${redactionText}::text end`,
    })
    .where(inArray(approvalQuestions.actionId, [...actionIds]))

async function redactActions(
  tx: Db,
  which: SQL | undefined,
): Promise<{ actions: number; uploads: number }> {
  const settledCondition = inArray(actions.state, ['applied', 'refused', ...notSentStates])
  const redactedActions = await tx
    .update(actions)
    .set(redactedColumns)
    .where(and(which, settledCondition))
    .returning({ id: actions.id, payloadId: actions.payloadId })
  const actionIds = redactedActions.map(({ id }) => id)
  if (actionIds.length > 0) await redactQuestions(tx, actionIds)
  const payloadIds = redactedActions.flatMap(({ payloadId }) => (payloadId ? [payloadId] : []))
  for (const payloadId of payloadIds) await deletePayloadBytes(tx, payloadId, 'erased')
  if (payloadIds.length > 0)
    await tx
      .update(filePayloads)
      .set({ name: 'removed', releaseReason: 'erased' })
      .where(inArray(filePayloads.id, payloadIds))
  return { actions: redactedActions.length, uploads: payloadIds.length }
}

const buildContainsWordCondition = (
  column: SQL | typeof actions.reason | typeof savedViews.search,
  searchWords: readonly string[],
) => or(...searchWords.map((word) => sql`position(lower(${word}::text) in lower(${column})) > 0`))

async function redactFreeTexts(
  tx: Db,
  { environment }: ErasedCustomer,
  searchWords: readonly string[],
): Promise<number> {
  if (searchWords.length === 0) return 0
  const redactedReasons = await tx
    .update(actions)
    .set({ reason: redactedReason })
    .where(
      and(
        eq(actions.environment, environment),
        buildContainsWordCondition(actions.reason, searchWords),
      ),
    )
    .returning({ id: actions.id })
  const redactedLimitRequests = await tx
    .update(limitRequests)
    .set({ justification: redactionText })
    .where(
      and(
        eq(limitRequests.environment, environment),
        buildContainsWordCondition(sql`${limitRequests.justification}`, searchWords),
      ),
    )
    .returning({ id: limitRequests.id })
  return (
    redactedReasons.length +
    redactedLimitRequests.length +
    (await redactAuthorizationDetails(tx, environment, searchWords, redactionText))
  )
}

async function deleteMatchingSavedViews(
  tx: Db,
  { environment, customerId }: ErasedCustomer,
  searchWords: readonly string[],
): Promise<number> {
  // The search is stored as a URL query, so a word can occur in it as it is, or URL-encoded.
  const searchVariants = [
    customerId,
    ...searchWords.flatMap((word) => [
      word,
      encodeURIComponent(word),
      new URLSearchParams({ w: word }).toString().slice(2),
    ]),
  ]
  const deletedSavedViews = await tx
    .delete(savedViews)
    .where(
      and(
        eq(savedViews.environment, environment),
        or(
          buildContainsWordCondition(savedViews.search, searchVariants),
          buildContainsWordCondition(sql`${savedViews.name}`, searchVariants),
        ),
      ),
    )
    .returning({ id: savedViews.id })
  return deletedSavedViews.length
}

/** `targets` are `resource/id`; `words` are the customer's name and external id. */
export type CustomerTraces = {
  actionIds: readonly string[]
  targets: readonly string[]
  words: readonly string[]
}

/** A shorter name also occurs in other words, so texts about other people would be erased. */
const minNameLength = 4

export const listIdentifyingTexts = (customer: Record<string, unknown> | null): string[] =>
  [customer?.name, customer?.external_id].filter(
    (word): word is string => typeof word === 'string' && word.trim().length >= minNameLength,
  )

export async function collectTraces(
  deletion: ErasedCustomer,
  known: Pick<CustomerTraces, 'targets' | 'words'>,
): Promise<CustomerTraces> {
  const actionTraces = await findMentioningActions(await getDatabase(), deletion)
  return {
    actionIds: actionTraces.ids,
    targets: [...new Set([...actionTraces.targets, ...known.targets])],
    words: known.words,
  }
}

/**
 * Also removes texts of payments that contain one of the words. It can be repeated safely, so it
 * needs no common transaction with the rest of the purge.
 */
export async function purgeMirror(
  { environment, customerId }: ErasedCustomer,
  { targets, words }: CustomerTraces,
): Promise<number> {
  const paykeyIds = targets.flatMap((target) =>
    target.startsWith('paykeys/') ? target.slice('paykeys/'.length) : [],
  )
  const removedCustomerCount = await deleteMirroredObjects(environment, 'customers', [customerId])
  const removedRowCount =
    removedCustomerCount + (await deleteMirroredObjects(environment, 'paykeys', paykeyIds))
  await removePaymentTextsWithWords(environment, words)
  return removedRowCount
}

/**
 * The audit chain contains no personal data and stays. `tx` is the transaction that marks the
 * deletion as executed, so that both happen or neither does.
 */
export async function purgeCustomer(
  tx: Db,
  deletion: ErasedCustomer,
  { actionIds, targets, words }: CustomerTraces,
): Promise<Omit<PurgedCounts, 'index'>> {
  const { environment } = deletion
  const targetCondition = and(
    eq(actions.environment, environment),
    inArray(actions.target, [...targets]),
  )
  const actionsCondition =
    actionIds.length > 0
      ? or(targetCondition, inArray(actions.id, [...actionIds]))
      : targetCondition
  const clearedCounts = await redactActions(tx, actionsCondition)
  const clearedLogRows = await tx
    .update(requestLog)
    .set({ errorDetail: null })
    .where(
      and(
        eq(requestLog.environment, environment),
        inArray(requestLog.target, [...targets]),
        isNotNull(requestLog.errorDetail),
      ),
    )
    .returning({ id: requestLog.id })
  const deletedSavedViewCount = await deleteMatchingSavedViews(tx, deletion, words)
  const purgedNoteCount = await purgeNotes(tx, environment, targets, words)
  const redactedTextCount = await redactFreeTexts(tx, deletion, words)
  await clearCustomerPayloads(tx, environment, deletion.customerId)
  return {
    ...clearedCounts,
    calls: clearedLogRows.length,
    views: deletedSavedViewCount,
    notes: purgedNoteCount,
    texts: redactedTextCount,
  }
}
