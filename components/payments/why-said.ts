'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'

/** What the page of a payment last said why it is held, and when; newer than a row that was drawn before. */
type Said = { line: string; at: number }

const keptAtMost = 200
const said = new Map<string, Said>()
const listeners = new Set<() => void>()

function listen(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells the rows of a payment the sentence its panel came to: that was read later, and one payment has one reason. */
export function useSayWhy(id: string, line: string | undefined): void {
  useEffect(() => {
    if (line === undefined || said.get(id)?.line === line) return
    said.delete(id)
    said.set(id, { line, at: performance.now() })
    const oldest = said.size > keptAtMost ? said.keys().next().value : undefined
    if (oldest !== undefined) said.delete(oldest)
    for (const listener of listeners) listener()
  }, [id, line])
}

/** The sentence a panel came to after the row was drawn; undefined where there is none. A list that is read again says its own. */
export function useSaidSince(id: string, drawn: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is drawn again when what it was drawn from is another.
  const drawnAt = useMemo(() => performance.now(), [drawn])
  const last = useSyncExternalStore(
    listen,
    () => said.get(id),
    () => undefined,
  )
  return last && last.at > drawnAt ? last.line : undefined
}
