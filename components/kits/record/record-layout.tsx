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
  /** The record's noun in a sentence. */
  one: string
  record: Readings
  head: ReactNode
  /** Notice about the whole record, across both columns. */
  notice?: ReactNode
  /** The columns; beside a list they are stacked. */
  children: ReactNode
  /** The available actions, always visible. */
  foot?: ReactNode
}

/** The layout of every record, beside its list and on its own page. It follows changes. */
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

type RecordColumnProps = { children: ReactNode /** It has parts that lists lack; hidden until they load. */; rest?: boolean }

export function RecordColumn({ children, rest = false }: RecordColumnProps) {
  const wait = use(WaitContext)
  const isLate = rest && wait?.isAsking && wait.isPart
  return (
    <div className="grid min-w-0 content-start gap-3">
      {/* Hidden and not unmounted, so that its own queries run at the same time as the record's. */}
      {isLate && <Skeleton className="h-[36rem]" />}
      <div className={isLate ? 'hidden' : 'contents'}>{children}</div>
    </div>
  )
}

type Shown = Readonly<Record<string, unknown>>

/** Failed refreshes, and the differences between the mirror and the service's first response. Few records have any. */
function Notes({ one, record: { answer, readError, actionsError } }: { one: string; record: Readings }) {
  const [sides, setSides] = useState([answer])
  if (!sides[1] && !answer.meta.mirror) setSides([...sides, answer])
  const [was, is] = sides as CallAnswer<Shown>[]
  // Structural sharing keeps equal values identical.
  const differs = is && was?.meta.mirror?.some((field) => was.data[field] !== is.data[field])
  return readError || actionsError || differs ? (
    <RecordNotes one={one} readError={readError} actionsError={actionsError} sides={sides} />
  ) : null
}
