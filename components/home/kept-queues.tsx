'use client'

import type { ReactNode } from 'react'
import { pendingChangesText, useStableContent } from '@/components/kits/list/pending-changes'

/** The queues to render. `shape` is the data that determines their layout: the total of each queue and the keys of its first rows. */
type HomeQueues = { shape: readonly { id: string; total: number; keys: readonly string[] }[]; queues: ReactNode }

const hasSameLayout = (current: HomeQueues, latest: HomeQueues) => JSON.stringify(current.shape) === JSON.stringify(latest.shape)

/** Returns the sums of the increases and decreases of all queues as text. Empty if no queue changed. */
function changesText(current: HomeQueues, latest: HomeQueues): string {
  if (hasSameLayout(current, latest)) return ''
  const before = new Map(current.shape.map(({ id, total }) => [id, total]))
  const after = new Map(latest.shape.map(({ id, total }) => [id, total]))
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((id) => (after.get(id) ?? 0) - (before.get(id) ?? 0))
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + Math.max(0, value), 0)
  return pendingChangesText(sum(changes), sum(changes.map((value) => -value))) || 'Changed'
}

/** Keeps the queues in place during an automatic refresh. The header then shows how many rows were added and removed. */
export const StableQueues = ({ given }: { given: HomeQueues }): ReactNode =>
  useStableContent(given, '', (shown) => (hasSameLayout(shown, given) ? given : shown), changesText).queues
