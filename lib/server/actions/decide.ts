import 'server-only'
import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { AppError } from '@/lib/errors'
import { reviewRoles } from '@/lib/operations/define'
import type { actionDecisionInput } from '@/lib/operations/desk.schema'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { buildUsableGrantCondition } from '@/lib/server/auth/people'
import type { Actor } from '@/lib/server/auth/session-rows'
import { sha256 } from '@/lib/server/store/hashes'
import { actions } from '@/lib/server/store/schema/actions'
import { grants, people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { type Action, notifyActionChanged, toAuditEntry } from './action-log'
import { notifyOutcomeChanged } from './complete-action'
import { settlePayload } from './payloads'

/** Decidable: two active reviewers or admins exist who neither sent nor approved the action. */
export async function listActionsDecidableByOthers(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const deciderCount = db
    .select({ count: sql`count(distinct ${people.id})` })
    .from(grants)
    .innerJoin(people, eq(people.id, grants.personId))
    .where(
      and(
        inArray(grants.role, [...reviewRoles]),
        eq(grants.environment, actions.environment),
        or(isNull(grants.accountId), eq(grants.accountId, actions.accountId)),
        ne(people.id, actions.actorId),
        sql`${people.id} is distinct from (${actions.approval} ->> 'by')::uuid`,
        buildUsableGrantCondition(),
      ),
    )
  const decidableRows = await db
    .select({ id: actions.id })
    .from(actions)
    .where(and(inArray(actions.id, [...ids]), sql`(${deciderCount}) >= 2`))
  return new Set(decidableRows.map(({ id }) => id))
}

type OutcomeDecision = Omit<z.output<typeof actionDecisionInput>, 'id'>

const createUndecidableError = (action: Action): AppError =>
  action.state === 'sending' || action.state === 'unknown'
    ? new AppError(
        'in_progress',
        'The outcome is still being checked. A decision is possible once the automatic checks end',
      )
    : new AppError(
        'changed',
        'The outcome is already known. Nothing was changed: refresh and review',
      )

const notCarriedOutError = new AppError(
  'service_refused',
  'Two people decided, on evidence, that this was not carried out',
).toWire()

const toDecisionJson = (actor: Actor, { outcome, evidence }: OutcomeDecision) =>
  sql`jsonb_build_object('outcome', ${outcome}::text, 'by', ${actor.id}::text, 'at', now(), 'evidence', ${evidence}::text)`

/** Replaces an earlier proposal if that has another outcome or is by the same person. */
async function storeProposal(
  tx: Db,
  action: Action,
  actor: Actor,
  decision: OutcomeDecision,
): Promise<void> {
  const isSameProposal = action.proposal
    ? sql`${actions.proposal} = ${JSON.stringify(action.proposal)}::jsonb`
    : isNull(actions.proposal)
  const [row] = await tx
    .update(actions)
    .set({ proposal: toDecisionJson(actor, decision) })
    .where(and(eq(actions.id, action.id), eq(actions.state, 'needs_human'), isSameProposal))
    .returning()
  if (!row) throw createUndecidableError(action)
  const { outcome, evidence } = decision
  await appendAudit(tx, {
    ...toAuditEntry(row, 'proposed'),
    ...toActorFields(actor),
    outcome,
    evidence_sha256: sha256(evidence),
  })
  await notifyActionChanged(tx, row)
}

/**
 * Settles an action in `needs_human` when two people state the same outcome, each with evidence.
 * The first statement is stored as a proposal, which another outcome replaces. Throws `in_progress`
 * while the outcome is being checked, and `changed` if another decision came first.
 */
export async function decideOutcome(
  action: Action,
  actor: Actor,
  decision: OutcomeDecision,
): Promise<void> {
  const { outcome, evidence } = decision
  const firstProposal = action.proposal
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    if (firstProposal?.outcome !== outcome || firstProposal.by === actor.id)
      return storeProposal(tx, action, actor, decision)
    const [row] = await tx
      .update(actions)
      .set({
        state: outcome,
        error: outcome === 'applied' ? null : notCarriedOutError,
        decision: toDecisionJson(actor, decision),
        settledAt: sql`now()`,
        body: null,
        leaseOwner: null,
        leaseUntil: null,
        nextCheckAt: null,
        // A new fence number invalidates the lease: a send that ends late must not overwrite the
        // decision.
        fence: sql`${actions.fence} + 1`,
      })
      .where(
        and(
          eq(actions.id, action.id),
          eq(actions.state, 'needs_human'),
          sql`${actions.proposal} = ${JSON.stringify(firstProposal)}::jsonb`,
        ),
      )
      .returning()
    if (!row) throw createUndecidableError(action)
    await settlePayload(tx, row)
    await appendAudit(tx, {
      ...toAuditEntry(row, 'decided'),
      ...toActorFields(actor),
      outcome,
      evidence_sha256: sha256(evidence),
    })
    await notifyOutcomeChanged(tx, action, row)
  })
}
