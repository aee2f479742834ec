'use client'

import { createContext, useContext, useEffect } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'

export type NextQueueRecord = {
  /** Label of the next record ("Wei Okafor · 2,587.00"); null if the queue is empty. */
  name: string | null
  /** Message if no other record waits. */
  end: string
  go: () => void
  /** Called when the person begins to decide. Prefetches the next record. */
  prepare: () => void
  /** Marks a record as decided, so that it is not offered again. */
  decided: (id: string) => void
}

export const nextShortcutKey = 'n'

/** The step to the next record. Null if the record was not opened from a queue. */
export const NextQueueRecordContext = createContext<NextQueueRecord | null>(null)

/**
 * Verbs in the ids of operations that remove a record from its queue, such as `payouts.release`. No
 * other operation removes one.
 */
const decisionVerbs = ['release', 'hold', 'cancel', 'decide', 'unblock', 'resubmit', 'refund']

/** True if the action was applied, or is the person's own and awaits approval. */
const hasOutcomeLeftQueue = ({ action }: Outcome) =>
  action?.state === 'applied' || (action?.state === 'awaiting_approval' && action.own)

const isDecisionOutcome = (outcome: Outcome) =>
  hasOutcomeLeftQueue(outcome) &&
  !outcome.error &&
  decisionVerbs.includes(outcome.operation.slice(outcome.operation.indexOf('.') + 1))

/**
 * Returns the step to the next record after a decision was applied or awaits approval. Null before
 * a decision, and while its outcome is unknown, so that the record stays open. Prefetches the next
 * record when the person has begun to decide.
 */
export function useNextQueueRecord(
  id: string,
  outcome: Outcome | null,
  isDeciding: boolean,
): NextQueueRecord | null {
  const nextQueueRecord = useContext(NextQueueRecordContext)
  const isDecided = outcome !== null && isDecisionOutcome(outcome)
  useEffect(() => {
    if (isDeciding) nextQueueRecord?.prepare()
    if (isDecided) nextQueueRecord?.decided(id)
  })
  return isDecided ? nextQueueRecord : null
}
