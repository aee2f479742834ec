'use client'

import { useState } from 'react'
import { nextFrom, useAmong } from '@/components/kits/data-table/row-order'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { firstRow } from '@/components/kits/list/spec'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { type NextStep, nextKey } from './next-context'

/** A record of a queue, or the first one of another page of the list, which has the id `firstRow`. `href` is set if it opens a page. */
type QueueItem = { id: string; name: string; href?: string; account?: string | null }

/** The records of a list that wait for a decision, in its order. */
export type Queue = {
  rows: readonly QueueItem[]
  /** The status of waiting records. A record with another status was already decided. Null if they have several. */
  waits: string | null
  /** Message if no other record waits. */
  end: string
  /** The next page and the first page; null if there is no such other page. */
  onward: QueueItem | null
  again: QueueItem | null
}

/** Returns a later row, else the next page, else an earlier row, else the first page. Omits `skipped` rows. */
function nextIn({ rows, onward, again }: Queue, id: string, before: readonly string[], skipped: ReadonlySet<string>): QueueItem | null {
  const ids = rows.map((row) => row.id)
  const { rest, passed } = nextFrom(id, ids, before, skipped)
  const next = rest ?? (onward ? undefined : passed)
  return rows.find((row) => row.id === next) ?? onward ?? again
}

const words = { group: 'List', keys: { [nextKey]: 'Next in queue' } }

/**
 * Returns the step from the open record `id` to the next one of its queue, and the record to prefetch once the person decides. `go` opens
 * the next one; its shortcut works on any record opened from a queue.
 */
export function useQueue(
  queue: Queue | null,
  id: string | null,
  go: (next: QueueItem) => void,
): { step: NextStep | null; ahead: PrefetchProps | null } {
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [prepared, setPrepared] = useState<string | null>(null)
  const [owner, setOwner] = useState<Owner | null>(null)
  const before = useAmong(queue?.rows.map((row) => row.id) ?? [], id)
  const isOpen = queue !== null && id !== null
  const next = isOpen ? nextIn(queue, id, before, skipped) : null
  const skip = (each: string) => skipped.has(each) || setSkipped(new Set([...skipped, each]))
  const openNext = () => next && go(next)
  useShortcut(nextKey, openNext, next !== null, words)
  return {
    step: isOpen ? { name: labelOf(next, owner), end: queue.end, go: openNext, prepare: () => setPrepared(id), decided: skip } : null,
    ahead:
      next && next.id !== firstRow && prepared === id
        ? {
            id: next.id,
            knownAccount: next.account ?? null,
            onStatus: (status) => queue?.waits && status !== queue.waits && skip(next.id),
            onOwner: (name) => setOwner({ id: next.id, name }),
          }
        : null,
  }
}

type Owner = { id: string; name: string }

/** Returns the label of the next record, with its owner once it was fetched. */
const labelOf = (next: QueueItem | null, owner: Owner | null): string | null =>
  next && owner?.id === next.id ? `${owner.name} · ${next.name}` : (next?.name ?? null)
