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

/** The rows of a list as what is to be worked through; null where they could not be read, and where none of them waits. */
export type ListQueue = {
  rows: readonly { id: string; name: string }[]
  /** The status its rows wait in, where the list is a queue: a row in another one was decided meanwhile. */
  waits: string | null
  /** Said where no other row waits. */
  end: string
  /** Where it goes on after these rows, and where it begins, if either is another page: each opens its first row. */
  onward: { name: string; href: string } | null
  again: { name: string; href: string } | null
}

type NextRow = {
  step: NextStep | null
  /** The row to read ahead. */
  ahead: string | null
  /** What was read ahead is in this status. */
  onStatus: (status: string) => void
  /** What was read ahead is this one's. */
  onOwner: (name: string) => void
}

type Onward = { row?: string | undefined; page?: ListQueue['onward'] }

/** Where it goes on from the open row: the rest of the rows, the pages after them, then from the top what was passed over. */
function onwardFrom(queue: ListQueue, open: string, before: readonly string[], skipped: ReadonlySet<string>): Onward {
  const ids = queue.rows.map(({ id }) => id)
  const { rest, passed } = nextFrom(open, ids, before, skipped)
  const row = rest ?? (queue.onward ? undefined : passed)
  return row === undefined ? { page: queue.onward ?? queue.again } : { row }
}

const nameOf = (queue: ListQueue, { row, page }: Onward) => queue.rows.find(({ id }) => id === row)?.name ?? page?.name ?? null

/** The row to decide after the open one. `panel` holds the focus until the heading of what comes is drawn. */
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

/** A record as the mirror had it for the first view of a page, for the panel of its resource; `get` is what reads it. */
export type Opened = {
  get: RecordGetId
  id: string
  knownAccount: string | null
  /** The record and the actions on it. */
  reads: DehydratedState
}

/** The list to draw, its rows as a queue, the accounts they are known to belong to, and the record the page was opened with. */
export type SplitProps = {
  queue: ListQueue | null
  accounts: Readonly<Record<string, string>>
  opened: Opened | null
  children: ReactNode
}

/** What a record's panel is told when it is beside a list. */
export type BesideProps = Partial<Opened> & { id: string; knownAccount: string | null; onClose: () => void; onChanged: () => void }

type ListSplitProps = SplitProps & {
  noun: string
  Panel: ComponentType<BesideProps>
  /** Reads a record and what its panel shows beside it, before it is opened. */
  Prefetch?: ComponentType<PrefetchProps>
}

/** The list and, when a row is open, its record beside it: 36 to 64. Under 1024 px the record is in the list's place. `Panel` is lazy. */
export function ListSplit({ queue, accounts, opened, noun, Panel, Prefetch, children }: ListSplitProps) {
  const { open, close } = useOpenRow()
  const { refreshAfterAction } = useList()
  const list = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { step, ahead, onStatus, onOwner } = useNextRow(queue, panel)
  const closePanel = () => {
    close()
    // Once the list is back: on a narrow window it is not there before.
    requestAnimationFrame(() => open !== null && (focusRow(open) || list.current?.focus({ preventScroll: true })))
  }
  useEscape(closePanel, open !== null)
  // Later ones would take the place of why a reading failed.
  const [first] = useState(opened)
  const known = first?.id === open ? first : null
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
                {...known}
                id={open}
                knownAccount={accounts[open] ?? known?.knownAccount ?? null}
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
