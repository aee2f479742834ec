'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useList } from './frame'
import type { ListRow } from './spec'

/**
 * Returns the rows to show. An automatic refresh updates rows in place, and `left` contains those that are no longer in the list. `News`
 * shows how many left and how many are new. `view` is the URL of the list.
 */
export function useKeptRows<Row extends ListRow>(given: readonly Row[], view: string) {
  const { quiet, tellNews } = useList()
  const [kept, setKept] = useState({ view, given, rows: given })
  if (kept.given !== given || kept.view !== view) {
    const rowsById = new Map(given.map((row) => [row.id, row]))
    const inPlace = quiet && kept.view === view
    setKept({ view, given, rows: inPlace ? kept.rows.map((row) => rowsById.get(row.id) ?? row) : given })
  }
  const shownIds = new Set(kept.rows.map(({ id }) => id))
  const latestIds = new Set(given.map(({ id }) => id))
  const added = given.filter(({ id }) => !shownIds.has(id)).length
  const removedIds = new Set(kept.rows.flatMap(({ id }) => (latestIds.has(id) ? [] : [id])))
  useEffect(() => {
    const take = () => setKept({ view, given, rows: given })
    tellNews(added + removedIds.size > 0 ? { text: newsText(added, removedIds.size), take } : null)
  }, [added, removedIds.size, given, view, tellNews])
  useEffect(() => () => tellNews(null), [tellNews])
  return { rows: kept.rows, left: removedIds }
}

/** Returns the counts of new and left rows as text; empty if both are 0. */
export const newsText = (added: number, left: number): string =>
  [added > 0 && `${added} new`, left > 0 && `${left} left`].filter(Boolean).join(', ')

/** Replaces the total, to avoid layout shift, with the pending changes and a button that applies them. */
export function News({ children }: { children: ReactNode }) {
  const { news } = useList()
  return (
    <span role="status">
      {news ? (
        <Button size="small" onClick={news.take}>
          {news.text}. Show
        </Button>
      ) : (
        children
      )}
    </span>
  )
}
