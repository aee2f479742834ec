'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Outcome } from '@/components/kits/action/outcome'
import { draftOf, dropWrite, keepWrite } from '@/components/kits/action/write-draft'
import { useDesk } from '@/components/kits/layout/desk-context'
import { asCallError } from '@/lib/client/call-error'
import { read, useWrite } from '@/lib/client/queries'
import type { Output } from '@/lib/operations/registry'

/** What can be asked for anew; the service answers at once and does it later. */
type RefreshId = 'paykeys.refresh_balance' | 'paykeys.refresh_review'

/** The read that shows each one's result. */
const shownBy = { 'paykeys.refresh_balance': 'paykeys.get', 'paykeys.refresh_review': 'paykeys.review' } as const

type Shown<K extends RefreshId> = Output<(typeof shownBy)[K]>

type RefreshOptions<K extends RefreshId> = {
  operation: K
  id: string
  account: string | null
  correlationId: string
  /** Whether the result is there, seen from what was known when somebody asked. */
  came: (before: Shown<K>, now: Shown<K>) => boolean
  /** Told of a refusal or an open outcome; null where a new try begins. */
  onOutcome: (outcome: Outcome | null) => void
}

/** `asked`: the result is on its way. `late`: it did not come while we looked. `here`: it came. */
export type RefreshState = 'idle' | 'sending' | 'asked' | 'late' | 'here'

const lookEvery = 2_000
const patience = 60_000

/**
 * Asks the service to look again and watches for the result, which comes by itself: a 202 says only that it was asked. After a minute it says
 * that it is still running, and stops asking.
 */
export function useRefresh<K extends RefreshId>({ operation, id, account, correlationId, came, onOutcome }: RefreshOptions<K>) {
  const desk = useDesk()
  const write = useWrite({ environment: desk.environment, account }, operation)
  const [before, setBefore] = useState<Shown<K> | null>(null)
  const [late, setLate] = useState(false)
  const shown = useQuery({
    ...read(desk, shownBy[operation], { id } as never),
    refetchInterval: before !== null && !late ? lookEvery : false,
  })
  const now = shown.data?.data as Shown<K> | undefined
  const here = before !== null && now !== undefined && came(before, now)
  useEffect(() => {
    if (before === null || here) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => clearTimeout(timer)
  }, [before, here])

  const press = async () => {
    if (write.isPending || now === undefined) return
    const draft = draftOf(operation, id, {})
    keepWrite(operation, id, draft)
    onOutcome(null)
    setLate(false)
    setBefore(null)
    try {
      await write.mutateAsync({ input: { id } as never, idempotencyKey: draft.key, correlationId })
      dropWrite(operation, id)
      setBefore(now)
    } catch (cause) {
      const error = asCallError(cause)
      // Only where Paydesk itself gave no answer may the next press be the same request; any other attempt is in the action book.
      if (!error.local) dropWrite(operation, id)
      onOutcome({ operation, action: error.action, error: { ...error.toWire(), requestId: error.requestId, local: error.local } })
    }
  }
  return { state: stateOf(write.isPending, before, here, late), press }
}

function stateOf(pending: boolean, before: unknown, here: boolean, late: boolean): RefreshState {
  if (pending) return 'sending'
  if (before === null) return 'idle'
  if (here) return 'here'
  return late ? 'late' : 'asked'
}
