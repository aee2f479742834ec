'use client'

import { type ReactNode, use, useState } from 'react'
import { useFollowing } from '@/components/kits/layout/use-following'
import { WaitContext } from '@/components/kits/unreadable/unreadable-parts'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import { RecordNotes } from './record-notes'

type Readings = {
  onClose?: (() => void) | undefined
  answer: CallAnswer<object>
  readError: CallError | null
  actionsError: CallError | null
}

type RecordLayoutProps = {
  label: string
  /** The record's noun, used in sentences. */
  one: string
  record: Readings
  head: ReactNode
  /** A notice about the record, across both columns. */
  notice?: ReactNode
  /** The columns. They are stacked if the record is shown beside a list. */
  children: ReactNode
  /** The available actions, which stay visible at the bottom. */
  foot?: ReactNode
}

/** The layout of a record, on its own page and beside a list. It subscribes to changes. */
export function RecordLayout({ label, one, record, head, notice, children, foot }: RecordLayoutProps) {
  useFollowing()
  return (
    <article className="flex min-h-full flex-col" aria-label={label}>
      <div
        className={cn(
          'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
          !record.onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
        )}
      >
        <div className="grid gap-3 xl:col-span-full">
          {head}
          <Notes one={one} record={record} />
          {notice}
        </div>
        {children}
      </div>
      {foot}
    </article>
  )
}

type RecordColumnProps = { children: ReactNode /** Hides the column until the service responds. */; rest?: boolean }

export function RecordColumn({ children, rest = false }: RecordColumnProps) {
  const wait = use(WaitContext)
  const isLate = rest && wait?.isAsking && wait.isPart
  return (
    <div className="grid min-w-0 content-start gap-3">
      {/* Hidden and not unmounted, so that its own queries run in parallel with the record's query. */}
      {isLate && <Skeleton className="h-[36rem]" />}
      <div className={isLate ? 'hidden' : 'contents'}>{children}</div>
    </div>
  )
}

type Shown = Readonly<Record<string, unknown>>

/**
 * Notices of failed refreshes, and of fields in which the mirror's record and the service's first response differ. Most records have none.
 */
function Notes({ one, record: { answer, readError, actionsError } }: { one: string; record: Readings }) {
  const [sides, setSides] = useState([answer])
  if (!sides[1] && !answer.meta.mirror) setSides([...sides, answer])
  const [was, is] = sides as CallAnswer<Shown>[]
  // Structural sharing of the query cache keeps equal values identical, so `!==` finds changed values.
  const differs = is && was?.meta.mirror?.some((field) => was.data[field] !== is.data[field])
  return readError || actionsError || differs ? (
    <RecordNotes one={one} readError={readError} actionsError={actionsError} sides={sides} />
  ) : null
}
