'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { ActionView } from '@/lib/operations/answer'
import type { Resource } from '@/lib/operations/define'
import { type Outcome, openAction, withLatest } from './outcome'

type UseOutcomeOptions = {
  actions: readonly ActionView[]
  /** What a settled action makes stale besides the actions themselves. */
  stale: readonly Resource[]
  /** The list beside the record is reconciled too. */
  onChanged?: () => void
}

/** The outcome of the last write and the action that is still open, kept in step with the action book. */
export function useOutcome({ actions, stale, onChanged }: UseOutcomeOptions) {
  const desk = useDesk()
  const client = useQueryClient()
  const [last, setLast] = useState<Outcome | null>(null)
  const refresh = () => {
    const names: readonly string[] = [...stale, 'actions']
    void client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === desk.environment && names.includes(String(queryKey[2])),
    })
    onChanged?.()
  }
  const setOutcome = (outcome: Outcome | null) => {
    setLast(outcome)
    // The list is reconciled after a failure as well: only a reading tells what is there. Without a session the server would lead to the
    // sign-in page instead, and what was typed would be gone.
    if (outcome && outcome.error?.code !== 'unauthenticated') onChanged?.()
  }
  const settle = (action: ActionView) => {
    setLast({ operation: action.operation, action })
    refresh()
  }
  const signedIn = () => {
    setLast(null)
    refresh()
  }
  return { outcome: withLatest(last, actions), live: openAction(last, actions), setOutcome, settle, refresh, signedIn }
}
