'use client'

import { createContext, useContext, useEffect } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'

/** The next record in the queue, and the functions to move to it. */
export type NextStep = {
  /** Label of the next record ("Wei Okafor · 2,587.00"); null if the queue is empty. */
  name: string | null
  /** Message when the queue is empty. */
  end: string
  go: () => void
  /** Called when the person begins to decide; starts the prefetch of the next record. */
  prepare: () => void
  /** Marks a record as decided, so it is not offered again. */
  decided: (id: string) => void
}

export const nextKey = 'n'

/** Null if the record was not opened from a queue. */
export const NextContext = createContext<NextStep | null>(null)

/** Operations that take a record out of its queue. Other changes and reads do not. */
const decisions = ['release', 'hold', 'cancel', 'decide', 'unblock', 'resubmit', 'refund']

/** True if it was applied, or requested by the reader and awaits approval. */
const isOut = ({ action }: Outcome) => action?.state === 'applied' || (action?.state === 'awaiting_approval' && action.own)

const isDecision = (outcome: Outcome) =>
  isOut(outcome) && !outcome.error && decisions.includes(outcome.operation.slice(outcome.operation.indexOf('.') + 1))

/**
 * Returns the next step once a decision was applied or awaits approval. Null before that and while the outcome is unknown, so the record
 * stays open. `engaged` is true if the person began to decide.
 */
export function useNextStep(id: string, outcome: Outcome | null, engaged: boolean): NextStep | null {
  const next = useContext(NextContext)
  const isDone = outcome !== null && isDecision(outcome)
  useEffect(() => {
    if (engaged) next?.prepare()
    if (isDone) next?.decided(id)
  })
  return isDone ? next : null
}
