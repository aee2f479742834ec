import { dropDraft, keepDraft, readDraft } from '@/lib/client/drafts'
import { newIdempotencyKey } from '@/lib/client/keys'
import type { Decision } from '@/lib/domain/decision-reasons'

/** A decision that is being written. The key belongs to the draft: it stays until a refusal is certain, so that a resend is a replay. */
export type DecisionDraft = { code: string; text: string; key: string }

const nameOf = (decision: Decision, id: string) => `payouts.${decision}/${id}`

/** The draft of a decision on a payout, or a fresh one with a key of its own. */
export function draftOf(decision: Decision, id: string): DecisionDraft {
  return readDraft<DecisionDraft>(nameOf(decision, id)) ?? { code: '', text: '', key: newIdempotencyKey() }
}

/** Keeps what was typed. */
export const keepDecision = (decision: Decision, id: string, draft: DecisionDraft) => keepDraft(nameOf(decision, id), draft)

/** Forgets a draft whose decision was carried out. */
export const dropDecision = (decision: Decision, id: string) => dropDraft(nameOf(decision, id))

/** After a certain refusal: the text stays, the next try is a new request under a new key. */
export function renewKey(decision: Decision, id: string): DecisionDraft {
  const draft = { ...draftOf(decision, id), key: newIdempotencyKey() }
  keepDecision(decision, id, draft)
  return draft
}
