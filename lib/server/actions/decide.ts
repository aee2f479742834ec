import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { AppError } from '@/lib/errors'
import { appendAudit } from '@/lib/server/audit/chain'
import { doneBy } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/session-rows'
import { sha256 } from '@/lib/server/sha256'
import { actions } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'
import { type Action, auditOf } from './book'
import { releasePayload } from './payloads'

const decision = z.strictObject({
  outcome: z.enum(['applied', 'refused'], 'must be applied or refused'),
  evidence: z
    .string('say what proves it')
    .trim()
    .min(20, 'say in a few more words what proves it')
    .max(500, 'must be at most 500 characters'),
})

/** What a person decided about an action, and what proves it in their words. */
export type Decision = z.output<typeof decision>

/** Reads a decision. Throws `invalid_input` naming the field and the fix. */
export function readDecision(fields: Record<string, unknown>): Decision {
  const parsed = decision.safeParse(fields)
  if (parsed.success) return parsed.data
  const items = parsed.error.issues.map((issue) => ({
    reference: issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
    detail: issue.code === 'unrecognized_keys' ? 'is not a field of a decision; leave it out' : issue.message,
  }))
  throw new AppError('invalid_input', items.map((item) => `${item.reference}: ${item.detail}`).join('; '), { items })
}

const notYet = (action: Action): AppError =>
  action.state === 'sending' || action.state === 'unknown'
    ? new AppError('in_progress', 'The outcome is still being checked. A person decides when nothing more can be found out by asking')
    : new AppError('changed', 'The outcome is known already. Nothing was decided: look at it as it is now')

const notDone = new AppError('service_refused', 'A person decided, on evidence, that this was not done').toWire()

/**
 * Settles an action that waits for a person, with their word and evidence. Nothing is sent. Throws `in_progress` while it
 * is still being checked, and `changed` where it is settled, by somebody else's decision too.
 */
export async function decide(action: Action, actor: Actor, { outcome, evidence }: Decision): Promise<void> {
  const db = await database()
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(actions)
      .set({
        state: outcome,
        error: outcome === 'applied' ? null : notDone,
        decision: sql`jsonb_build_object('outcome', ${outcome}::text, 'by', ${actor.id}::text, 'at', now(), 'evidence', ${evidence}::text)`,
        settledAt: sql`now()`,
        body: null,
        leaseOwner: null,
        leaseUntil: null,
        nextCheckAt: null,
        // Whoever still holds it has lost it: what they learn later must not be written over a decision.
        fence: sql`${actions.fence} + 1`,
      })
      .where(and(eq(actions.id, action.id), eq(actions.state, 'needs_human')))
      .returning()
    if (!row) throw notYet(action)
    await releasePayload(tx, row.payloadId)
    await appendAudit(tx, {
      ...auditOf(row, 'decided'),
      ...doneBy(actor),
      outcome,
      evidence_sha256: sha256(evidence),
    })
  })
}
