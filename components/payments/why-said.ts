'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'

/** The hold reason last shown on a payment's page, with its time. It replaces an older one in a list row. */
type Said = { line: string; at: number }

const keptAtMost = 200
const holdReasons = new Map<string, Said>()
const listeners = new Set<() => void>()

function listen(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Publishes the hold reason shown in the panel to the payment's list rows, so that both show the same text. */
export function useSayWhy(id: string, line: string | undefined): void {
  useEffect(() => {
    if (line === undefined || holdReasons.get(id)?.line === line) return
    holdReasons.delete(id)
    holdReasons.set(id, { line, at: performance.now() })
    const oldest = holdReasons.size > keptAtMost ? holdReasons.keys().next().value : undefined
    if (oldest !== undefined) holdReasons.delete(oldest)
    for (const listener of listeners) listener()
  }, [id, line])
}

/** Returns the reason published after the row was rendered; undefined if there is none. A refreshed list has its own. */
export function useSaidSince(id: string, drawn: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new row data resets the time
  const drawnAt = useMemo(() => performance.now(), [drawn])
  const last = useSyncExternalStore(
    listen,
    () => holdReasons.get(id),
    () => undefined,
  )
  return last && last.at > drawnAt ? last.line : undefined
}
