'use client'

import type { DehydratedState } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, type RefObject, useRef, useState } from 'react'
import { nextFrom } from '@/components/kits/data-table/row-order'
import { focusHeadingOf } from '@/components/kits/layout/arrival'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { useEscape } from '@/components/kits/layout/use-escape'
import { NextContext, type NextOwner, type NextStep, nextName, useNextKey } from '@/components/kits/queue/next-context'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import type { RecordGetId } from '@/lib/operations/service-operations'
import { useList } from './frame'
import { useOpenRow } from './open-row'
import { firstRow } from './spec'
import { focusRow, scrollToRow, useAmong } from './table'

/** A list's rows as a queue to process; null if they could not be read or do not wait. */
export type ListQueue = {
  rows: readonly { id: string; name: string }[]
  /** The status of waiting rows if the list is a queue. A row with another status was already decided. */
  waits: string | null
  /** Message if no other row waits. */
  end: string
  /** `onward` is the next page, `again` the first page; null if there is no such other page. Each opens its first row. */
  onward: { name: string; href: string } | null
  again: { name: string; href: string } | null
}

type NextRow = {
  step: NextStep | null
  /** The row to prefetch. */
  ahead: string | null
  /** Called with the status of the prefetched row. */
  onStatus: (status: string) => void
  /** Called with the owner of the prefetched row. */
  onOwner: (name: string) => void
}

type Onward = { row?: string | undefined; page?: ListQueue['onward'] }

/** Returns the next row or page: a later row, else the next page, else an earlier row, else the first page. Omits `skipped` rows. */
function onwardFrom(queue: ListQueue, open: string, before: readonly string[], skipped: ReadonlySet<string>): Onward {
  const ids = queue.rows.map(({ id }) => id)
  const { rest, passed } = nextFrom(open, ids, before, skipped)
  const row = rest ?? (queue.onward ? undefined : passed)
  return row === undefined ? { page: queue.onward ?? queue.again } : { row }
}

const nameOf = (queue: ListQueue, { row, page }: Onward) => queue.rows.find(({ id }) => id === row)?.name ?? page?.name ?? null

/** Returns the next row to decide. `panel` holds the focus until the heading of the next record is rendered. */
function useNextRow(queue: ListQueue | null, panel: RefObject<HTMLElement | null>): NextRow {
  const { open, walk } = useOpenRow()
  const { go } = useList()
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const [prepared, setPrepared] = useState<string | null>(null)
  const [owner, setOwner] = useState<NextOwner | null>(null)
  const before = useAmong(queue?.rows.map(({ id }) => id) ?? [], open)
  const { row, page } = queue && open !== null ? onwardFrom(queue, open, before, skipped) : {}
  const skip = (id: string) => skipped.has(id) || setSkipped(new Set([...skipped, id]))
  const goOn = () => {
    panel.current?.focus({ preventScroll: true })
    if (row !== undefined) {
      walk(row)
      scrollToRow(row)
    } else if (page) go(page.href)
    focusHeadingOf(row ?? firstRow)
  }
  const prepare = () => setPrepared(open)
  const name = queue && nextName(row, nameOf(queue, { row, page }), owner)
  const step = queue && open !== null ? { name, end: queue.end, go: goOn, prepare, decided: skip } : null
  useNextKey(step)
  return {
    step,
    ahead: prepared === open ? (row ?? null) : null,
    onStatus: (status) => row !== undefined && queue?.waits && status !== queue.waits && skip(row),
    onOwner: (name) => row !== undefined && setOwner({ id: row, name }),
  }
}

/** A record from the mirror for the first view of a page; `get` is the operation that reads it. */
export type Opened = {
  get: RecordGetId
  id: string
  knownAccount: string | null
  /** The cached record and its actions. */
  reads: DehydratedState
}

/** The list to render, its rows as a queue, their known accounts, and the record the page was opened with. */
export type SplitProps = {
  queue: ListQueue | null
  accounts: Readonly<Record<string, string>>
  opened: Opened | null
  children: ReactNode
}

export type BesideProps = Partial<Opened> & { id: string; knownAccount: string | null; onClose: () => void; onChanged: () => void }

type ListSplitProps = SplitProps & {
  noun: string
  Panel: ComponentType<BesideProps>
  /** Prefetches a record and what its panel shows beside it. */
  Prefetch?: ComponentType<PrefetchProps>
}

/** The list and the open record beside it, in the ratio 36 to 64. Under 1024 px the record replaces the list. `Panel` is lazy. */
export function ListSplit({ queue, accounts, opened, noun, Panel, Prefetch, children }: ListSplitProps) {
  const { open, close } = useOpenRow()
  const { refreshAfterAction } = useList()
  const list = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { step, ahead, onStatus, onOwner } = useNextRow(queue, panel)
  const closePanel = () => {
    close()
    // Wait a frame: on a narrow window the list is not rendered before.
    requestAnimationFrame(() => open !== null && (focusRow(open) || list.current?.focus({ preventScroll: true })))
  }
  useEscape(closePanel, open !== null)
  // Only the first value counts. A later one would replace the error of a failed read.
  const [first] = useState(opened)
  const initialRecord = first?.id === open ? first : null
  return (
    <div className="flex min-h-0 flex-1 border-line border-t">
      <div
        ref={list}
        tabIndex={-1}
        className={cn('@container relative min-w-0 flex-1 lg:overflow-y-auto', open && 'max-lg:hidden lg:min-w-[23.75rem] lg:flex-[36]')}
      >
        {children}
      </div>
      {open && (
        <div ref={panel} tabIndex={-1} className="relative min-w-0 flex-1 border-line bg-bg lg:flex-[64] lg:overflow-y-auto lg:border-l">
          <Boundary key={open} fallback={<RecordSkeleton noun={noun} />} onClose={closePanel}>
            <NextContext value={step}>
              <Panel
                key={open}
                {...initialRecord}
                id={open}
                knownAccount={accounts[open] ?? initialRecord?.knownAccount ?? null}
                onClose={closePanel}
                onChanged={refreshAfterAction}
              />
            </NextContext>
          </Boundary>
          {ahead && Prefetch && (
            <Boundary fallback={null}>
              <Prefetch key={ahead} id={ahead} knownAccount={accounts[ahead] ?? null} onStatus={onStatus} onOwner={onOwner} />
            </Boundary>
          )}
        </div>
      )}
    </div>
  )
}
