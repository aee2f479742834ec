'use client'

import type { DehydratedState } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { focusRecordHeading } from '@/components/kits/layout/focus'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { useEscape } from '@/components/kits/layout/use-escape'
import { NextStepContext } from '@/components/kits/queue/next-context'
import { type Queue, useQueue } from '@/components/kits/queue/queue'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import type { RecordGetId } from '@/lib/operations/service-operations'
import { useList } from './frame'
import { useOpenRow } from './open-row'
import { focusRow, scrollToRow } from './table'

/** A record that the server read from the mirror for the first render of a page. `get` is the operation that reads the record. */
export type OpenedRecord = {
  get: RecordGetId
  id: string
  knownAccount: string | null
  /** The query cache with the record and its actions. */
  reads: DehydratedState
}

/** The list (`children`), its rows as a queue or null, the known account of each row, and the record that was open at first. */
export type SplitProps = {
  queue: Queue | null
  accounts: Readonly<Record<string, string>>
  opened: OpenedRecord | null
  children: ReactNode
}

export type SidePanelProps = Partial<OpenedRecord> & { id: string; knownAccount: string | null; onClose: () => void; onChanged: () => void }

type ListSplitProps = SplitProps & {
  noun: string
  Panel: ComponentType<SidePanelProps>
  /** Prefetches a record and the reads of its panel. */
  Prefetch?: ComponentType<PrefetchProps>
}

/** The list and the open record beside it, 36 to 64. Under 1024 px the record replaces the list. Load `Panel` lazily. */
export function ListSplit({ queue, accounts, opened, noun, Panel, Prefetch, children }: ListSplitProps) {
  const { open, walk, close } = useOpenRow()
  const { go, refreshAfterAction } = useList()
  const list = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const { step, ahead } = useQueue(queue, open, (next) => {
    // The panel takes the focus until the heading of the next record is rendered.
    panel.current?.focus({ preventScroll: true })
    if (next.href) go(next.href)
    else {
      walk(next.id)
      scrollToRow(next.id)
    }
    focusRecordHeading(next.id)
  })
  const closePanel = () => {
    close()
    // Wait for a frame: in a narrow window the list is not rendered before.
    requestAnimationFrame(() => open !== null && (focusRow(open) || list.current?.focus({ preventScroll: true })))
  }
  useEscape(closePanel, open !== null)
  // Later values are ignored. They would replace the error of a failed read with mirror data.
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
            <NextStepContext value={step}>
              <Panel
                key={open}
                {...initialRecord}
                id={open}
                knownAccount={accounts[open] ?? initialRecord?.knownAccount ?? null}
                onClose={closePanel}
                onChanged={refreshAfterAction}
              />
            </NextStepContext>
          </Boundary>
          {ahead && Prefetch && (
            <Boundary fallback={null}>
              <Prefetch key={ahead.id} {...ahead} knownAccount={accounts[ahead.id] ?? null} />
            </Boundary>
          )}
        </div>
      )}
    </div>
  )
}
