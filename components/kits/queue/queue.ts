'use client'

import { useState } from 'react'
import { findNextIds, useLastOrder } from '@/components/kits/data-table/row-order'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { firstRowParam } from '@/components/kits/list/spec'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { type NextStep, nextKey } from './next-context'

/** A record of a queue. If `href` is set, the item is the first record on another page of the list, and its id is `firstRowParam`. */
type QueueItem = { id: string; name: string; href?: string; account?: string | null }

/** The records of a list that wait for a decision, in the order of the list. */
export type Queue = {
  rows: readonly QueueItem[]
  /**
   * The status of the waiting records; a record with another status is already decided. Null if waiting records have different statuses.
   */
  waits: string | null
  /** Message if no other record waits. */
  end: string
  /** The first record of the next page (`onward`) and of the first page (`again`). Null if there is no such page. */
  onward: QueueItem | null
  again: QueueItem | null
}

/** Returns the first of these that exists: a later row, the next page, an earlier row, the first page. Omits `skipped` rows. */
function findNextItem(
  { rows, onward, again }: Queue,
  id: string,
  before: readonly string[],
  skipped: ReadonlySet<string>,
): QueueItem | null {
  const ids = rows.map((row) => row.id)
  const { rest, passed } = findNextIds(id, ids, before, skipped)
  const nextId = rest ?? (onward ? undefined : passed)
  return rows.find((row) => row.id === nextId) ?? onward ?? again
}

const shortcutWords = { group: 'List', keys: { [nextKey]: 'Next in queue' } }

/**
 * Returns the step from the open record `id` to the next one, and the record to prefetch after the person has begun to decide. `go` opens
 * the next record. The shortcut `n` works on every record that was opened from a queue.
 */
export function useQueue(
  queue: Queue | null,
  id: string | null,
  go: (next: QueueItem) => void,
): { step: NextStep | null; ahead: PrefetchProps | null } {
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [prepared, setPrepared] = useState<string | null>(null)
  const [owner, setOwner] = useState<Owner | null>(null)
  const previousIds = useLastOrder(queue?.rows.map((row) => row.id) ?? [], id)
  const isOpen = queue !== null && id !== null
  const nextItem = isOpen ? findNextItem(queue, id, previousIds, skipped) : null
  const skipItem = (each: string) => skipped.has(each) || setSkipped(new Set([...skipped, each]))
  const openNext = () => nextItem && go(nextItem)
  useShortcut(nextKey, openNext, nextItem !== null, shortcutWords)
  return {
    step: isOpen
      ? { name: formatNextLabel(nextItem, owner), end: queue.end, go: openNext, prepare: () => setPrepared(id), decided: skipItem }
      : null,
    ahead:
      nextItem && nextItem.id !== firstRowParam && prepared === id
        ? {
            id: nextItem.id,
            knownAccount: nextItem.account ?? null,
            onStatus: (status) => queue?.waits && status !== queue.waits && skipItem(nextItem.id),
            onOwner: (name) => setOwner({ id: nextItem.id, name }),
          }
        : null,
  }
}

type Owner = { id: string; name: string }

/** Returns the label of the next record, with its owner's name if that was fetched. */
const formatNextLabel = (next: QueueItem | null, owner: Owner | null): string | null =>
  next && owner?.id === next.id ? `${owner.name} · ${next.name}` : (next?.name ?? null)
