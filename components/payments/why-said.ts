'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createStore } from '@/lib/client/store'

/** The hold reason last shown on a payment's page, with its time. It replaces an older one in a list row. */
type Said = { line: string; at: number }

const keptAtMost = 200
const holdReasons = createStore<ReadonlyMap<string, Said>>(new Map())

/** Publishes the hold reason shown in the panel to the payment's list rows, so that both show the same text. */
export function useSayWhy(id: string, line: string | undefined): void {
  useEffect(() => {
    const reasons = holdReasons.read()
    if (line === undefined || reasons.get(id)?.line === line) return
    const otherReasons = [...reasons].filter(([each]) => each !== id).slice(1 - keptAtMost)
    holdReasons.set(new Map([...otherReasons, [id, { line, at: performance.now() }]]))
  }, [id, line])
}

/** Returns the reason published after the row was rendered; undefined if there is none. A refreshed list has its own. */
export function useSaidSince(id: string, drawn: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new row data resets the time
  const drawnAt = useMemo(() => performance.now(), [drawn])
  const last = useSyncExternalStore(
    holdReasons.subscribe,
    () => holdReasons.read().get(id),
    () => undefined,
  )
  return last && last.at > drawnAt ? last.line : undefined
}
