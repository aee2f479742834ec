'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useList } from './frame'
import type { ListRow } from './spec'

/**
 * Returns the content to show. Normally it is `given`, the newest from the server. After an automatic refresh it is the result of `update`,
 * which keeps content in place; `PendingChanges` then shows `changesText` until the person applies the changes. For another `view` (the
 * list's URL) it is `given` again.
 */
export function useKept<T>(given: T, view: string, update: (shown: T, given: T) => T, changesText: (shown: T, given: T) => string): T {
  const { quiet, setPendingChanges } = useList()
  const [kept, setKept] = useState({ view, given, shown: given })
  if (kept.given !== given || kept.view !== view) {
    setKept({ view, given, shown: quiet && kept.view === view ? update(kept.shown, given) : given })
  }
  const text = changesText(kept.shown, given)
  useEffect(() => {
    if (text === '') return
    setPendingChanges({ text, apply: () => setKept({ view, given, shown: given }) })
    return () => setPendingChanges(null)
  }, [text, given, view, setPendingChanges])
  return kept.shown
}

/** Returns the rows of `some` that are not among `others`. */
const missingIn = <Row extends ListRow>(some: readonly Row[], others: readonly Row[]): Row[] => {
  const ids = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !ids.has(id))
}

function updateRows<Row extends ListRow>(shown: readonly Row[], given: readonly Row[]): readonly Row[] {
  const rowsById = new Map(given.map((row) => [row.id, row]))
  return shown.map((row) => rowsById.get(row.id) ?? row)
}

/** Returns the rows to show, and the ids of shown rows that are no longer in the list. An automatic refresh updates rows in place. */
export function useKeptRows<Row extends ListRow>(given: readonly Row[], view: string) {
  const rows = useKept(given, view, updateRows, (shown) => countText(missingIn(given, shown).length, missingIn(shown, given).length))
  return { rows, left: new Set(missingIn(rows, given).map(({ id }) => id)) }
}

/** Returns the numbers of new and removed rows as text, for example "1 no longer matches · 3 new"; empty if both are 0. */
export const countText = (added: number, removed: number): string =>
  [removed > 0 && `${removed} no longer ${removed === 1 ? 'matches' : 'match'}`, added > 0 && `${added} new`].filter(Boolean).join(' · ')

/** Shows the pending changes as a button that applies them. The button replaces the total (`children`), to avoid a layout shift. */
export function PendingChanges({ children }: { children: ReactNode }) {
  const { pendingChanges } = useList()
  return (
    <span role="status">
      {pendingChanges ? (
        <Button size="small" onClick={pendingChanges.apply}>
          {pendingChanges.text} · Update list
        </Button>
      ) : (
        children
      )}
    </span>
  )
}
