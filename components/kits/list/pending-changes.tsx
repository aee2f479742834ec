'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useListNavigation } from './frame'
import type { ListRow } from './spec'

/**
 * Returns the content to show. Normally this is `given`, the newest content from the server. After
 * an automatic refresh it is the result of `update`, which leaves the shown content in place.
 * `PendingChangesStatus` then shows the changes as text until the person applies them. When `view` (the
 * list's URL) changes, the result is `given` again.
 */
export function useStableContent<T>(
  given: T,
  view: string,
  update: (shown: T, given: T) => T,
  formatChanges: (shown: T, given: T) => string,
): T {
  const { quiet, setPendingChanges } = useListNavigation()
  const [stableContent, setStable] = useState({ view, given, shown: given })
  if (stableContent.given !== given || stableContent.view !== view) {
    setStable({
      view,
      given,
      shown: quiet && stableContent.view === view ? update(stableContent.shown, given) : given,
    })
  }
  const pendingChangesText = formatChanges(stableContent.shown, given)
  useEffect(() => {
    if (pendingChangesText === '') return
    setPendingChanges({
      text: pendingChangesText,
      apply: () => setStable({ view, given, shown: given }),
    })
    return () => setPendingChanges(null)
  }, [pendingChangesText, given, view, setPendingChanges])
  return stableContent.shown
}

const findRowsNotIn = <Row extends ListRow>(
  some: readonly Row[],
  others: readonly Row[],
): Row[] => {
  const otherIds = new Set(others.map(({ id }) => id))
  return some.filter(({ id }) => !otherIds.has(id))
}

function updateShownRows<Row extends ListRow>(
  shown: readonly Row[],
  given: readonly Row[],
): readonly Row[] {
  const rowsById = new Map(given.map((row) => [row.id, row]))
  return shown.map((row) => rowsById.get(row.id) ?? row)
}

/**
 * Returns the rows to show, and the ids of shown rows that are no longer in the list. An automatic
 * refresh updates rows in place.
 */
export function useStableRows<Row extends ListRow>(latestRows: readonly Row[], viewKey: string) {
  const rows = useStableContent(latestRows, viewKey, updateShownRows, (shown) =>
    formatPendingChanges(
      findRowsNotIn(latestRows, shown).length,
      findRowsNotIn(shown, latestRows).length,
    ),
  )
  return { rows, left: new Set(findRowsNotIn(rows, latestRows).map(({ id }) => id)) }
}

/** Returns text such as "1 no longer matches · 3 new"; empty if both are 0. */
export const formatPendingChanges = (added: number, removed: number): string =>
  [
    removed > 0 && `${removed} no longer ${removed === 1 ? 'matches' : 'match'}`,
    added > 0 && `${added} new`,
  ]
    .filter(Boolean)
    .join(' · ')

/** The button replaces the total (`children`), to avoid a layout shift. */
export function PendingChangesStatus({ children }: { children: ReactNode }) {
  const { pendingChanges } = useListNavigation()
  return (
    <span role="status">
      {pendingChanges ? (
        <Button size="small" onClick={pendingChanges.apply}>
          {pendingChanges.text} · Update list
        </Button>
      ) : (
        <span className="max-sm:hidden">{children}</span>
      )}
    </span>
  )
}
