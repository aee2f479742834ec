'use client'

import { createContext, useContext, useEffect } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { useShortcut } from '@/components/kits/layout/use-shortcut'

/** What comes after the record that is shown, in the list it was opened from. */
export type NextStep = {
  /** How the next one is called ("Wei Okafor · 2,587.00"); null where nothing else waits. */
  name: string | null
  /** Said where nothing else waits. */
  end: string
  go: () => void
  /** Somebody is about to decide: what comes next is read ahead from now on. */
  prepare: () => void
  /** The record was decided: it is not offered again. */
  decided: (id: string) => void
}

/** Whose record the next one is, once that was read. */
export type NextOwner = { id: string; name: string }

/** How the next one is called: by whose it is, where that is known, and without an owner. */
export const nextName = (id: string | undefined, name: string | null, owner: NextOwner | null): string | null =>
  name !== null && owner !== null && owner.id === id ? `${owner.name} · ${name}` : name

export const nextKey = 'n'

const words = { group: 'List', keys: { [nextKey]: 'Next in queue' } }

/** Goes on to the next one that waits by its key, from any record that was opened from a list. */
export const useNextKey = (next: NextStep | null) => useShortcut(nextKey, () => next?.go(), next !== null && next.name !== null, words)

/** Null where a record was opened outside a queue. */
export const NextContext = createContext<NextStep | null>(null)

/** What takes a record out of its queue; what only changes or reads it does not. */
const decisions = ['release', 'hold', 'cancel', 'decide', 'unblock', 'resubmit', 'refund']

/** Carried out, or asked for by the reader: then it waits for somebody else. */
const isOut = ({ action }: Outcome) => action?.state === 'applied' || (action?.state === 'awaiting_approval' && action.own)

const isDecision = (outcome: Outcome) =>
  isOut(outcome) && !outcome.error && decisions.includes(outcome.operation.slice(outcome.operation.indexOf('.') + 1))

/**
 * What is next once a decision on a record was carried out or waits for a second person; null before, and while its outcome is not known: then the record stays what it is
 * about. `engaged`: somebody began to decide.
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
