'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useList } from './frame'
import type { ListRow } from './spec'

/**
 * The rows as they are shown: what nobody asked for leaves each in its place, as it is by now. `left` are those that are not in the list any more; `News`
 * says how many they are, and how many came. `view` is the address of what is listed.
 */
export function useKeptRows<Row extends ListRow>(given: readonly Row[], view: string) {
  const { quiet, tellNews } = useList()
  const [kept, setKept] = useState({ view, given, rows: given })
  if (kept.given !== given || kept.view !== view) {
    const fresh = new Map(given.map((row) => [row.id, row]))
    const inPlace = quiet && kept.view === view
    setKept({ view, given, rows: inPlace ? kept.rows.map((row) => fresh.get(row.id) ?? row) : given })
  }
  const shown = new Set(kept.rows.map(({ id }) => id))
  const here = new Set(given.map(({ id }) => id))
  const added = given.filter(({ id }) => !shown.has(id)).length
  const left = new Set(kept.rows.flatMap(({ id }) => (here.has(id) ? [] : [id])))
  useEffect(() => {
    const take = () => setKept({ view, given, rows: given })
    tellNews(added + left.size > 0 ? { text: newsText(added, left.size), take } : null)
  }, [added, left.size, given, view, tellNews])
  useEffect(() => () => tellNews(null), [tellNews])
  return { rows: kept.rows, left }
}

/** How many came and left, in few words; empty where none did. */
export const newsText = (added: number, left: number): string =>
  [added > 0 && `${added} new`, left > 0 && `${left} left`].filter(Boolean).join(', ')

/** In the place of how many there are, where it moves nothing: how the list is another by now, and the way to see it. */
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
