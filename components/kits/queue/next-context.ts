'use client'

import { createContext, useContext, useEffect } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'

/** The next record of a queue, and functions that control the queue. */
export type NextStep = {
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

export const nextKey = 'n'

/** The step to the next record. Null if the record was not opened from a queue. */
export const NextStepContext = createContext<NextStep | null>(null)

/** Verbs of the operations that remove a record from its queue, such as `payouts.release`. Other writes and reads do not. */
const decisionVerbs = ['release', 'hold', 'cancel', 'decide', 'unblock', 'resubmit', 'refund']

/** True if the action was applied, or if it is the reader's own and awaits approval. */
const isOutOfQueue = ({ action }: Outcome) => action?.state === 'applied' || (action?.state === 'awaiting_approval' && action.own)

const isDecision = (outcome: Outcome) =>
  isOutOfQueue(outcome) && !outcome.error && decisionVerbs.includes(outcome.operation.slice(outcome.operation.indexOf('.') + 1))

/**
 * Returns the next step after a decision was applied or awaits approval. Null before a decision, and while its outcome is unknown, so that
 * the record stays open. `engaged` is true if the person has begun to decide.
 */
export function useNextStep(id: string, outcome: Outcome | null, engaged: boolean): NextStep | null {
  const nextStep = useContext(NextStepContext)
  const isDone = outcome !== null && isDecision(outcome)
  useEffect(() => {
    if (engaged) nextStep?.prepare()
    if (isDone) nextStep?.decided(id)
  })
  return isDone ? nextStep : null
}
