import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { ApprovalQuestion } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type Action, notifyActionChanged, toAuditEntry } from '@/lib/server/actions/action-log'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sha256 } from '@/lib/server/store/hashes'
import { actions } from '@/lib/server/store/schema/actions'
import { approvalQuestions } from '@/lib/server/store/schema/approvals'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** Oldest first, by the id of the action. */
export async function listQuestions(
  db: Db,
  actionIds: readonly string[],
): Promise<Map<string, ApprovalQuestion[]>> {
  const questionsByAction = new Map<string, ApprovalQuestion[]>()
  if (actionIds.length === 0) return questionsByAction
  const rows = await db
    .select({ row: approvalQuestions, asker: people.name })
    .from(approvalQuestions)
    .innerJoin(people, eq(people.id, approvalQuestions.askedBy))
    .where(inArray(approvalQuestions.actionId, [...actionIds]))
    .orderBy(asc(approvalQuestions.askedAt))
  for (const { row, asker } of rows) {
    const questions = questionsByAction.get(row.actionId) ?? []
    questions.push({
      id: row.id,
      asked_by: asker,
      asked_at: row.askedAt.toISOString(),
      question: row.question,
      answer: row.answer,
      answered_at: row.answeredAt?.toISOString() ?? null,
    })
    questionsByAction.set(row.actionId, questions)
  }
  return questionsByAction
}

/** Questions about requests of this person that wait for an answer, oldest first. */
export async function listOpenQuestionsTo(requesterId: string, environment: Environment) {
  const db = await getDatabase()
  const rows = await db
    .select({
      id: approvalQuestions.id,
      actionId: actions.id,
      operation: actions.operation,
      askedBy: people.name,
      askedAt: approvalQuestions.askedAt,
    })
    .from(approvalQuestions)
    .innerJoin(actions, eq(actions.id, approvalQuestions.actionId))
    .innerJoin(people, eq(people.id, approvalQuestions.askedBy))
    .where(
      and(
        isNull(approvalQuestions.answeredAt),
        eq(actions.actorId, requesterId),
        eq(actions.environment, environment),
        eq(actions.state, 'awaiting_approval'),
      ),
    )
    .orderBy(asc(approvalQuestions.askedAt))
  return rows.map((row) => ({ ...row, operation: row.operation as ServiceOperationId }))
}

/** Locks the request, so that it cannot end during the transaction. Throws `changed` if it no longer waits. */
async function lockWaitingAction(tx: Db, id: string): Promise<Action> {
  const [row] = await tx
    .select()
    .from(actions)
    .where(and(eq(actions.id, id), eq(actions.state, 'awaiting_approval')))
    .for('update')
  if (row) return row
  throw new AppError('changed', 'This request is no longer waiting for approval. Refresh it.')
}

async function recordText(
  tx: Db,
  action: Action,
  { actor, event, text }: { actor: Actor; event: 'questioned' | 'answered'; text: string },
): Promise<void> {
  await appendAudit(tx, {
    ...toAuditEntry(action, event),
    ...toActorFields(actor),
    evidence_sha256: sha256(text),
  })
  await notifyActionChanged(tx, action)
}

/** Throws `changed` if the request no longer waits, or if another question is not answered yet. */
export async function askQuestion(id: string, actor: Actor, question: string): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const action = await lockWaitingAction(tx, id)
    const inserted = await tx
      .insert(approvalQuestions)
      .values({ id: randomUUID(), actionId: id, askedBy: actor.id, question })
      .onConflictDoNothing()
      .returning({ id: approvalQuestions.id })
    if (inserted.length === 0)
      throw new AppError('changed', 'Another question is not answered yet. Refresh the request.')
    await recordText(tx, action, { actor, event: 'questioned', text: question })
  })
}

/** Throws `changed` if the request no longer waits, or if no question is open. */
export async function answerQuestion(id: string, actor: Actor, answer: string): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const action = await lockWaitingAction(tx, id)
    const answered = await tx
      .update(approvalQuestions)
      .set({ answer, answeredAt: sql`now()` })
      .where(and(eq(approvalQuestions.actionId, id), isNull(approvalQuestions.answeredAt)))
      .returning({ id: approvalQuestions.id })
    if (answered.length === 0)
      throw new AppError('changed', 'No question waits for an answer. Refresh the request.')
    await recordText(tx, action, { actor, event: 'answered', text: answer })
  })
}
