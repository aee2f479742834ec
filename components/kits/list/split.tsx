'use client'

import type { DehydratedState } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { focusRecordHeading } from '@/components/kits/layout/focus'
import { RecordSkeleton } from '@/components/kits/layout/page-skeletons'
import { useEscape } from '@/components/kits/layout/use-escape'
import { NextQueueRecordContext } from '@/components/kits/queue/next-context'
import { type RecordQueue, useRecordQueue } from '@/components/kits/queue/queue'
import type { PrefetchProps } from '@/components/kits/record/record-panel'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import type { RecordGetId } from '@/lib/operations/service-operations'
import { useListNavigation } from './frame'
import { useOpenRowState } from './open-row'
import { focusRow, scrollToRow } from './table'

/**
 * A record that the server read from its copy of the service's data for the first render. `get` is
 * the operation that reads it.
 */
export type OpenedRecord = {
  get: RecordGetId
  id: string
  knownAccount: string | null
  /** The query cache with the record and its actions. */
  reads: DehydratedState
}

/**
 * The list (`children`), its rows as a queue or null, the known account of each row by id, and the
 * record that was open at first.
 */
export type SplitViewProps = {
  queue: RecordQueue | null
  accounts: Readonly<Record<string, string>>
  opened: OpenedRecord | null
  children: ReactNode
}

export type SidePanelProps = Partial<OpenedRecord> & {
  id: string
  knownAccount: string | null
  onClose: () => void
  onChanged: () => void
}

type ListSplitViewProps = SplitViewProps & {
  noun: string
  Panel: ComponentType<SidePanelProps>
  Prefetch?: ComponentType<PrefetchProps>
}

/**
 * The list and the open record beside it, with 36 % and 64 % of the width. In windows under 1024 px
 * the record replaces the list. Pass a lazy `Panel`, so that its script loads only when a row is
 * open.
 */
export function ListSplitView({
  queue,
  accounts,
  opened,
  noun,
  Panel,
  Prefetch,
  children,
}: ListSplitViewProps) {
  const { open, walk, close } = useOpenRowState()
  const { go, refreshAfterAction } = useListNavigation()
  const listRef = useRef<HTMLDivElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const { step, ahead } = useRecordQueue(queue, open, (next) => {
    // The panel takes the focus until the heading of the next record is rendered.
    panelRef.current?.focus({ preventScroll: true })
    if (next.href) go(next.href)
    else {
      walk(next.id)
      scrollToRow(next.id)
    }
    focusRecordHeading(next.id)
  })
  const closePanel = () => {
    close()
    // Waits for the next frame: in a narrow window the list is hidden until then, and a hidden
    // element cannot take the focus.
    requestAnimationFrame(
      () => open !== null && (focusRow(open) || listRef.current?.focus({ preventScroll: true })),
    )
  }
  useEscape(closePanel, open !== null)
  // Only the first value of `opened` is used. A later one would replace the error of a failed read
  // with older data from the mirror.
  const [first] = useState(opened)
  const initialRecord = first?.id === open ? first : null
  return (
    <div className="flex min-h-0 flex-1">
      <div
        ref={listRef}
        tabIndex={-1}
        className={cn(
          '@container relative min-w-0 flex-1 lg:overflow-y-auto',
          open && 'max-lg:hidden lg:min-w-[23.75rem] lg:flex-[36]',
        )}
      >
        {children}
      </div>
      {open && (
        <div
          ref={panelRef}
          tabIndex={-1}
          data-record-open
          className="side-panel relative min-w-0 flex-1 border-line bg-bg lg:flex-[64] lg:overflow-y-auto lg:border-l"
        >
          <Boundary key={open} fallback={<RecordSkeleton noun={noun} />} onClose={closePanel}>
            <NextQueueRecordContext value={step}>
              <Panel
                key={open}
                {...initialRecord}
                id={open}
                knownAccount={accounts[open] ?? initialRecord?.knownAccount ?? null}
                onClose={closePanel}
                onChanged={refreshAfterAction}
              />
            </NextQueueRecordContext>
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
