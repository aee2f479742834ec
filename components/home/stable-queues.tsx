'use client'

import type { ReactNode } from 'react'
import { formatPendingChanges, useStableContent } from '@/components/kits/list/pending-changes'

/** `shape` determines the layout: the total of each queue and the keys of its first rows. */
type QueuesWithRowKeys = {
  shape: readonly { id: string; total: number; keys: readonly string[] }[]
  queues: ReactNode
}

const hasSameQueueRows = (current: QueuesWithRowKeys, latest: QueuesWithRowKeys) =>
  JSON.stringify(current.shape) === JSON.stringify(latest.shape)

/** Rows added to and removed from all queues together. Empty if the layout is the same. */
function formatRowChanges(current: QueuesWithRowKeys, latest: QueuesWithRowKeys): string {
  if (hasSameQueueRows(current, latest)) return ''
  const currentTotals = new Map(current.shape.map(({ id, total }) => [id, total]))
  const latestTotals = new Map(latest.shape.map(({ id, total }) => [id, total]))
  const totalDifferences = [...new Set([...currentTotals.keys(), ...latestTotals.keys()])].map(
    (id) => (latestTotals.get(id) ?? 0) - (currentTotals.get(id) ?? 0),
  )
  const sumPositiveValues = (values: readonly number[]) =>
    values.reduce((all, value) => all + Math.max(0, value), 0)
  return (
    formatPendingChanges(
      sumPositiveValues(totalDifferences),
      sumPositiveValues(totalDifferences.map((value) => -value)),
    ) || 'Changed'
  )
}

/**
 * If an automatic refresh would change the layout, keeps the old queues in place. The header then
 * shows the changes and a button that applies them.
 */
export const StableQueues = ({ given }: { given: QueuesWithRowKeys }): ReactNode =>
  useStableContent(
    given,
    '',
    (shown) => (hasSameQueueRows(shown, given) ? given : shown),
    formatRowChanges,
  ).queues
