import 'server-only'
import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AppError, type WireError } from '@/lib/errors'
import { type ActionView, type Answer, type AttemptView, openStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { accountText } from '@/lib/server/auth/scoped-account'
import { log } from '@/lib/server/log'
import { decrypt } from '@/lib/server/store/encryption'
import { actions, attempts, payloads, people } from '@/lib/server/store/schema'
import { type Db, database } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { type Attempt, decidableByOthers } from './complete-action'
import { answerPlace } from './erase'
import { evidenceFor } from './evidence'
import { proofIn } from './proofs'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

const attemptView = (attempt: Attempt): AttemptView => ({
  number: attempt.number,
  request_id: attempt.requestId,
  started_at: attempt.startedAt.toISOString(),
  ended_at: iso(attempt.endedAt),
  status: attempt.status,
  fault: attempt.fault,
  api_request_id: attempt.apiRequestId,
  replayed: attempt.replayed,
})

/** What a view says to one reader: who they are, which of their own actions another person could decide, and what else is known of open ones. */
type Reader = { id: string; decidable: ReadonlySet<string>; evidence: Awaited<ReturnType<typeof evidenceFor>> }

type Joined = { action: Action; actor: string; file: typeof payloads.$inferSelect | null; decider: string | null }

function decidedView({ action: { decision }, actor, decider }: Joined): ActionView['decided'] {
  if (!decision) return null
  const { outcome, at, evidence } = decision
  return { outcome, by: decider ?? actor, at: new Date(at).toISOString(), evidence }
}

function view(row: Joined, all: readonly Attempt[], reader: Reader): ActionView {
  const { action, file } = row
  const own = action.actorId === reader.id
  return {
    id: action.id,
    operation: action.operation as ServiceOperationId,
    environment: action.environment,
    account: action.accountId ? accountText(action.accountId) : null,
    target: action.target,
    state: action.state,
    actor: row.actor,
    own,
    reason: action.reason,
    warnings: action.warnings ?? [],
    file: file ? { name: file.name, size: file.size, sha256: file.sha256 ?? '' } : null,
    proof: proofIn(action),
    idempotency_key: action.idempotencyKey,
    correlation_id: action.correlationId,
    created_at: action.createdAt.toISOString(),
    settled_at: iso(action.settledAt),
    next_check_at: iso(action.nextCheckAt),
    replayed: action.replayed,
    effect_verified: action.effectVerified,
    error: action.error,
    attempts: all.map(attemptView),
    evidence: reader.evidence.get(action.id) ?? [],
    decided: decidedView(row),
    others_can_decide: own && action.state === 'needs_human' ? reader.decidable.has(action.id) : null,
  }
}

async function viewsOf(db: Db, rows: readonly Joined[], readerId: string): Promise<ActionView[]> {
  const ids = rows.map((row) => row.action.id)
  const all = ids.length > 0 ? await db.select().from(attempts).where(inArray(attempts.actionId, ids)).orderBy(attempts.number) : []
  const waiting = rows.filter(({ action }) => action.actorId === readerId && action.state === 'needs_human')
  const reader = {
    id: readerId,
    decidable: await decidableByOthers(
      db,
      waiting.map(({ action }) => action.id),
    ),
    evidence: await evidenceFor(
      db,
      rows.map(({ action }) => action),
    ),
  }
  return rows.map((row) =>
    view(
      row,
      all.filter((attempt) => attempt.actionId === row.action.id),
      reader,
    ),
  )
}

const deciders = alias(people, 'deciders')

const joined = (db: Db) =>
  db
    .select({ action: actions, actor: people.name, file: payloads, decider: deciders.name })
    .from(actions)
    .innerJoin(people, eq(people.id, actions.actorId))
    .leftJoin(payloads, eq(payloads.id, actions.payloadId))
    .leftJoin(deciders, sql`${deciders.id} = (${actions.decision} ->> 'by')::uuid`)

/** One action by its id with what a screen shows of it, or null. */
export async function findAction(id: string, readerId: string): Promise<{ action: Action; view: ActionView } | null> {
  const db = await database()
  const [row] = await joined(db).where(eq(actions.id, id))
  if (!row) return null
  const [seen] = await viewsOf(db, [row], readerId)
  return seen ? { action: row.action, view: seen } : null
}

/** The last fifty actions on one object, newest first. */
export async function actionsOnTarget(environment: Environment, target: string, readerId: string): Promise<ActionView[]> {
  const db = await database()
  const rows = await joined(db)
    .where(and(eq(actions.environment, environment), eq(actions.target, target)))
    .orderBy(desc(actions.createdAt))
    .limit(50)
  return viewsOf(db, rows, readerId)
}

/**
 * A person's own open actions of an operation that makes something, newest first. Nothing is there yet that could hold them, so they are found by
 * who asked, and for which account (a bare id; null for the platform itself).
 */
export async function ownPendingCreations(
  environment: Environment,
  operation: ServiceOperationId,
  accountId: string | null,
  ownerId: string,
): Promise<ActionView[]> {
  const db = await database()
  const rows = await joined(db)
    .where(
      and(
        eq(actions.environment, environment),
        eq(actions.operation, operation),
        eq(actions.actorId, ownerId),
        isNull(actions.target),
        accountId === null ? isNull(actions.accountId) : eq(actions.accountId, accountId),
        inArray(actions.state, [...openStates]),
      ),
    )
    .orderBy(desc(actions.createdAt))
    .limit(20)
  return viewsOf(db, rows, ownerId)
}

/** Actions that stay open at most this many are told at once; the oldest come first, so none is ever hidden permanently. */
const mostOpen = 200

/** The open actions of an environment, oldest first, without what was said of proofs, which is with the record; `accounts` limits them, null is all. One that is being sent counts after a minute. */
export async function openActionViews(
  environment: Environment,
  accounts: readonly string[] | null,
  readerId: string,
): Promise<ActionView[]> {
  if (accounts?.length === 0) return []
  const db = await database()
  const stuck = and(eq(actions.state, 'sending'), sql`${actions.createdAt} < now() - interval '1 minute'`)
  const rows = await joined(db)
    .where(
      and(
        eq(actions.environment, environment),
        or(inArray(actions.state, ['unknown', 'needs_human']), stuck),
        accounts ? inArray(actions.accountId, [...accounts]) : undefined,
      ),
    )
    .orderBy(asc(actions.createdAt))
    .limit(mostOpen)
  const bare = rows.map((row) => ({ ...row, action: { ...row.action, proof: null } }))
  return viewsOf(db, bare, readerId)
}

const wireOf = (code: 'outcome_unknown' | 'in_progress' | 'needs_human', detail: string): WireError => new AppError(code, detail).toWire()

const openErrors: Partial<Record<Action['state'], WireError>> = {
  sending: wireOf('in_progress', 'The first attempt is still running. Nothing is sent twice'),
  unknown: wireOf('outcome_unknown', 'The service may have carried out the action. Paydesk checks the same request under the same key'),
  needs_human: wireOf('needs_human', 'The outcome could not be confirmed automatically and needs a decision'),
}

/** What an action answered, as it was kept; undefined where nothing was, or nobody can read it any more. */
function keptAnswer({ id, state, answer }: Action): unknown {
  if (state !== 'applied' || !answer) return undefined
  try {
    return JSON.parse(decrypt(answer, answerPlace(id)).toString('utf8'))
  } catch {
    log.warn({ event: 'action.answer_unreadable', action_id: id })
    return undefined
  }
}

/**
 * An HTTP answer about an action: what is known so far, with the answer of a settled one for a reader who may see it. `fresh` is an answer that
 * came just now, and is told instead of the kept one; without a right to it nothing is even decrypted.
 */
export function answerOf(
  action: Action,
  seen: ActionView,
  reader: { mayRead: boolean; fresh?: unknown },
): { status: number; body: Answer<unknown> } {
  const last = seen.attempts.at(-1)
  const meta = {
    request_id: last?.request_id ?? seen.id,
    ...(action.apiRequestId ? { api_request_id: action.apiRequestId } : {}),
  }
  const data = reader.mayRead ? (reader.fresh ?? keptAnswer(action)) : undefined
  if (data !== undefined) return { status: action.answerStatus ?? 200, body: { response_type: 'object', meta, data, action: seen } }
  // No answer is there for this reader: the record of what happened is.
  if (action.state === 'applied') return { status: 200, body: { response_type: 'object', meta, action: seen } }
  const error = action.error ?? openErrors[action.state] ?? wireOf('outcome_unknown', 'The outcome is not known')
  const status = action.state === 'unknown' ? 202 : error.status
  return { status, body: { response_type: 'error', meta, error, action: seen } }
}
