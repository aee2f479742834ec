'use client'

import { type ReactNode, use, useState } from 'react'
import { useLiveUpdates } from '@/components/kits/layout/use-live-updates'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { RecordDecisionContext } from './decision-context'
import { RecordNotices } from './record-notices'

type RecordReadState = {
  onClose?: (() => void) | undefined
  answer: CallAnswer<object>
  readError: CallError | null
  actionsError: CallError | null
}

type RecordLayoutProps = {
  label: string
  one: string
  record: RecordReadState
  head: ReactNode
  notice?: ReactNode
  /** The columns. They are stacked if the record is shown beside a list. */
  children: ReactNode
  foot?: ReactNode
}

/**
 * Arranges the parts of a record. `foot` is the action bar. In a wide window its open form is beside
 * the record and covers no part of it (`record-frame` in `globals.css`). While the record is shown,
 * changes at the service refresh it.
 */
export function RecordLayout({
  label,
  one,
  record,
  head,
  notice,
  children,
  foot,
}: RecordLayoutProps) {
  useLiveUpdates()
  const isPartOfDecision = use(RecordDecisionContext) !== null
  return (
    <article className="record-frame" aria-label={label}>
      <div
        className={cn(
          'grid flex-1 content-start gap-3 py-2',
          !isPartOfDecision && 'px-4 lg:px-6',
          !record.onClose &&
            !isPartOfDecision &&
            'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          {head}
          <RefreshNotices one={one} record={record} />
          {notice}
        </div>
        {children}
      </div>
      {!isPartOfDecision && foot}
    </article>
  )
}

type RecordColumnProps = {
  children: ReactNode /** Hides the column until the service responds. */
  rest?: boolean
}

export function RecordColumn({ children, rest = false }: RecordColumnProps) {
  const pendingRecord = use(PendingRecordContext)
  const isAwaitingService = rest && pendingRecord?.isAsking && pendingRecord.isPart
  return (
    <div className="@container grid min-w-0 content-start gap-3">
      {/* Hidden and not unmounted, so that its own queries run in parallel with the record's query. */}
      {isAwaitingService && <Skeleton className="h-[36rem]" />}
      <div className={isAwaitingService ? 'hidden' : 'contents'}>{children}</div>
    </div>
  )
}

type RecordFields = Readonly<Record<string, unknown>>

/**
 * Notices of failed refreshes, and of fields that differ between the mirror (Paydesk's copy of the
 * service's data) and the service's first response. Most records have no such notice.
 */
function RefreshNotices({
  one,
  record: { answer, readError, actionsError },
}: {
  one: string
  record: RecordReadState
}) {
  const [versions, setVersions] = useState([answer])
  if (!versions[1] && !answer.meta.mirror) setVersions([...versions, answer])
  const [mirrored, current] = versions as CallAnswer<RecordFields>[]
  // Both come from one query. TanStack Query keeps the old object for a value that is equal, so
  // `!==` is true only for changed values.
  const hasMirrorDifferences =
    current && mirrored?.meta.mirror?.some((field) => mirrored.data[field] !== current.data[field])
  return readError || actionsError || hasMirrorDifferences ? (
    <RecordNotices one={one} readError={readError} actionsError={actionsError} sides={versions} />
  ) : null
}
