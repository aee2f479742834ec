'use client'

import { useState } from 'react'
import { findNextAndPassedId, useLastOrderWithRow } from '@/components/kits/data-table/row-order'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { firstRowParam } from '@/components/kits/list/spec'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { type NextQueueRecord, nextShortcutKey } from './next-context'

/**
 * A record of a queue. If `href` is set, the record opens at that URL. The id of the first record
 * on another page of the list is not known, so it is `firstRowParam`.
 */
type RecordQueueItem = { id: string; name: string; href?: string; account?: string | null }

/** The records of a list that wait for a decision, in the order of the list. */
export type RecordQueue = {
  rows: readonly RecordQueueItem[]
  /**
   * The status of the waiting records; a record with another status is already decided. Null if
   * waiting records have different statuses.
   */
  waits: string | null
  /** Message if no other record waits. */
  end: string
  /**
   * The first record of the next page (`onward`) and of the first page (`again`). Null if there is
   * no such page.
   */
  onward: RecordQueueItem | null
  again: RecordQueueItem | null
}

/**
 * Returns the first of these that exists: a later row, the next page, an earlier row, the first
 * page. Omits skipped rows.
 */
function findNextItem(
  { rows, onward, again }: RecordQueue,
  id: string,
  previousRowIds: readonly string[],
  skippedIds: ReadonlySet<string>,
): RecordQueueItem | null {
  const ids = rows.map((row) => row.id)
  const { rest, passed } = findNextAndPassedId(id, ids, previousRowIds, skippedIds)
  const nextId = rest ?? (onward ? undefined : passed)
  return rows.find((row) => row.id === nextId) ?? onward ?? again
}

const shortcutLabels = { group: 'List', keys: { [nextShortcutKey]: 'Next in queue' } }

/**
 * Returns the step from the open record `id` to the next one, and the record to prefetch after the
 * person has begun to decide. The shortcut `n` works on every record that was opened from a queue.
 */
export function useRecordQueue(
  queue: RecordQueue | null,
  id: string | null,
  openRecord: (next: RecordQueueItem) => void,
): { step: NextQueueRecord | null; ahead: PrefetchProps | null } {
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [prepared, setPrepared] = useState<string | null>(null)
  const [owner, setOwner] = useState<RecordCustomerName | null>(null)
  const previousIds = useLastOrderWithRow(queue?.rows.map((row) => row.id) ?? [], id)
  const hasQueueAndRecord = queue !== null && id !== null
  const nextItem = hasQueueAndRecord ? findNextItem(queue, id, previousIds, skipped) : null
  const skipItem = (itemId: string) =>
    skipped.has(itemId) || setSkipped(new Set([...skipped, itemId]))
  const openNextItem = () => nextItem && openRecord(nextItem)
  useShortcut(nextShortcutKey, openNextItem, nextItem !== null, shortcutLabels)
  return {
    step: hasQueueAndRecord
      ? {
          name: formatNextLabel(nextItem, owner),
          end: queue.end,
          go: openNextItem,
          prepare: () => setPrepared(id),
          decided: skipItem,
        }
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

type RecordCustomerName = { id: string; name: string }

const formatNextLabel = (
  next: RecordQueueItem | null,
  recordCustomer: RecordCustomerName | null,
): string | null =>
  next && recordCustomer?.id === next.id
    ? `${recordCustomer.name} · ${next.name}`
    : (next?.name ?? null)
