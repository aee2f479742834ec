'use client'

import type { ReactNode } from 'react'
import { lazyPart } from '@/components/kits/layout/lazy-part'
import { Boundary } from '@/components/ui/boundary'
import { cn } from '@/components/ui/cn'
import type { CallError } from '@/lib/client/call-error'

type Readings = { onClose?: (() => void) | undefined; readError: CallError | null; actionsError: CallError | null }

type RecordLayoutProps = {
  label: string
  /** What it is called in a sentence. */
  one: string
  record: Readings
  head: ReactNode
  /** What the whole record says of itself, over both columns. */
  notice?: ReactNode
  /** The columns; beside a list they are one below the other. */
  children: ReactNode
  /** What may be done, always in sight. */
  foot?: ReactNode
}

/** How every record is laid out, beside its list and on its own page. */
export const RecordLayout = ({ label, one, record, head, notice, children, foot }: RecordLayoutProps) => (
  <article className="flex min-h-full flex-col" aria-label={label}>
    <div
      className={cn(
        'grid flex-1 content-start gap-3 px-4 py-3 lg:px-6',
        !record.onClose && 'xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:gap-x-6',
      )}
    >
      <div className="grid gap-3 xl:col-span-full">
        {head}
        <ReadTrouble one={one} {...record} />
        {notice}
      </div>
      {children}
    </div>
    {foot}
  </article>
)

/** One of the two columns of a record. */
export const RecordColumn = ({ children }: { children: ReactNode }) => <div className="grid min-w-0 content-start gap-3">{children}</div>

const ErrorNotice = lazyPart(() => import('@/components/kits/feedback/error-notice').then((module) => module.ErrorNotice))

/** What could not be read again: the old stays on the screen and says that it is old. An ended session is told once, above the page. */
const ReadTrouble = ({ one, readError, actionsError }: Readings & { one: string }) => (
  <>
    <Trouble what={`This ${one} could not be refreshed; the last known data is shown`} error={readError} />
    <Trouble what={`What Paydesk did with this ${one} could not be read`} error={actionsError} />
  </>
)

const Trouble = ({ what, error }: { what: string; error: CallError | null }) =>
  error === null || error.code === 'unauthenticated' ? null : (
    <Boundary>
      <ErrorNotice what={what} error={{ ...error.toWire() }} requestId={error.requestId} />
    </Boundary>
  )
