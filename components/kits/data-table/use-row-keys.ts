'use client'

import { useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'

const words = { group: 'List', keys: { j: 'Next row', k: 'Row before', Enter: 'Open the row' } }

/**
 * `j` and `k` walk the rows of a `DataTable`, `Enter` opens the one they are at. Gives the id of that row, or null before the first press.
 * Focus goes along to the row's own link: `Enter` would belong to the control it stayed on otherwise, and that may be "Next".
 */
export function useRowKeys(ids: readonly string[], onOpen: (id: string) => void, at: string | null): string | null {
  const [chosen, setChosen] = useState<string | null>(null)
  const current = chosen !== null && ids.includes(chosen) ? chosen : at
  const move = (by: 1 | -1) => {
    const from = current === null ? -1 : ids.indexOf(current)
    const next = ids[from === -1 ? 0 : Math.max(0, Math.min(ids.length - 1, from + by))]
    if (next === undefined) return
    setChosen(next)
    const row = document.querySelector(`[data-row="${CSS.escape(next)}"]`)
    row?.querySelector('a')?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  useShortcut(['j', 'k'], (event) => move(event.key === 'j' ? 1 : -1), true, words)
  useShortcut('Enter', (event) => {
    const onControl = event.target instanceof Element && event.target.closest('a, button, summary, [role="button"]') !== null
    if (current !== null && !onControl) onOpen(current)
  })
  return current
}
