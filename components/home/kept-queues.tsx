'use client'

import type { ReactNode } from 'react'
import { countText, useKept } from '@/components/kits/list/pending-changes'

/** The queues to render. `shape` is the data that determines their layout: the total of each queue and the keys of its first rows. */
type HomeQueues = { shape: readonly { id: string; total: number; keys: readonly string[] }[]; queues: ReactNode }

const isInPlace = (shown: HomeQueues, given: HomeQueues) => JSON.stringify(shown.shape) === JSON.stringify(given.shape)

/** Returns the sums of the increases and decreases of all queues as text. Empty if no queue changed. */
function changesText(shown: HomeQueues, given: HomeQueues): string {
  if (isInPlace(shown, given)) return ''
  const before = new Map(shown.shape.map(({ id, total }) => [id, total]))
  const after = new Map(given.shape.map(({ id, total }) => [id, total]))
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((id) => (after.get(id) ?? 0) - (before.get(id) ?? 0))
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + Math.max(0, value), 0)
  return countText(sum(changes), sum(changes.map((value) => -value))) || 'Changed'
}

/** Keeps the queues in place during an automatic refresh. The header then shows how many rows were added and removed. */
export const KeptQueues = ({ given }: { given: HomeQueues }): ReactNode =>
  useKept(given, '', (shown) => (isInPlace(shown, given) ? given : shown), changesText).queues
