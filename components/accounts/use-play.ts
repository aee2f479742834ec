'use client'

import { useRef, useState } from 'react'
import { isDefinite, type Outcome } from '@/components/kits/action/outcome'
import { useDesk } from '@/components/kits/layout/desk-context'
import { asCallError } from '@/lib/client/call-error'
import { newIdempotencyKey } from '@/lib/client/keys'
import { useWrite } from '@/lib/client/queries'
import type { SimulatedStage } from '@/lib/domain/account-rules'
import type { Account } from '@/lib/operations/accounts.schema'

const operation = 'accounts.simulate'

/** What was played, as a sentence names it, and the account before and after it. */
export type Played = { name: string; before: Account; after: Account }

type PlayOptions = { account: Account; correlationId: string; onOutcome: (outcome: Outcome | null) => void }

/**
 * Simulates stages one after another and stops at the first that is not carried out. Each is a request with a key of its own; only where Paydesk
 * itself gave no answer the next try carries the same one.
 */
export function usePlay({ account, correlationId, onOutcome }: PlayOptions) {
  const { environment } = useDesk()
  const write = useWrite({ environment, account: null }, operation)
  const keys = useRef<Partial<Record<SimulatedStage, string>>>({})
  const [playing, setPlaying] = useState<string | null>(null)
  const [played, setPlayed] = useState<Played | null>(null)

  const simulate = async (stage: SimulatedStage): Promise<Account | null> => {
    keys.current[stage] ??= newIdempotencyKey()
    const request = { input: { id: account.id, final_status: stage }, idempotencyKey: keys.current[stage], correlationId }
    const answer = await write.mutateAsync(request).catch((cause: unknown) => {
      const error = asCallError(cause)
      // An action in the book is watched beside the record until it is settled.
      if (error.action || isDefinite(error.code)) delete keys.current[stage]
      onOutcome({ operation, action: error.action, error: { ...error.toWire(), requestId: error.requestId, local: error.local } })
      return null
    })
    if (!answer) return null
    delete keys.current[stage]
    onOutcome({ operation, action: answer.action, replayed: answer.replayed })
    return answer.data
  }
  const play = async (name: string, stages: readonly SimulatedStage[]) => {
    onOutcome(null)
    setPlaying(name)
    let after = account
    for (const stage of stages) {
      const next = await simulate(stage)
      if (!next) break
      after = next
      setPlayed({ name, before: account, after })
    }
    setPlaying(null)
  }
  return { playing, played, play }
}
