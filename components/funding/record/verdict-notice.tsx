'use client'

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { read } from '@/lib/client/query/reads'
import type { FundingSum, FundingVerdict } from '@/lib/features/funding/sum'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { FundingEventPayment } from '@/lib/operations/funding-events.schema'
import { isFull, rowsSent, totalOf } from '@/lib/operations/list-count'

/** Lines per page, and maximum number of pages. Beyond that the sum is marked as incomplete. */
const size = 250
const mostPages = 80

/** The lines of a funding event read so far. `total` is the service's count; null if not yet known. */
type FundingLines = {
  lines: readonly FundingEventPayment[]
  /** Lines that could not be parsed; included in the total. */
  unreadable: readonly UnreadableRow[]
  total: number | null
  /** True if all lines were read, the limit was reached, or a read failed. */
  ended: boolean
  /** True if there are more lines than the limit. */
  bounded: boolean
  error: CallError | null
  /** Retries the failed page. */
  again: () => void
}

/** Reads all lines of a funding event page by page, sorted by id, an order that is stable during the read. Pages render as they arrive. */
export function useFundingLines(id: string): FundingLines {
  const context = usePageContext()
  const [asked, setAsked] = useState(1)
  const found = useQueries({ queries: Array.from({ length: asked }, (_, before) => readPage(context, id, before + 1)) })
  const pages = found.flatMap(({ data }) => data ?? [])
  const failed = found.find(({ error }) => error)
  const last = pages.at(-1)
  const isAll = last !== undefined && hasAll(last, pages)
  const goesOn = pages.length === asked && !isAll && asked < mostPages && !failed
  useEffect(() => {
    if (goesOn) setAsked(asked + 1)
  }, [goesOn, asked])
  const lines = pages.flatMap((page) => page.data)
  const total = last ? totalOf(last, { size, number: pages.length }) : null
  return {
    lines,
    unreadable: pages.flatMap(({ meta }) => meta.unreadable_rows ?? []),
    total,
    ended: failed !== undefined || isAll || pages.length >= mostPages,
    bounded: pages.length >= mostPages && !isAll,
    error: failed?.error ?? null,
    again: () => void failed?.refetch(),
  }
}

type Page = CallAnswer<FundingEventPayment[]>

const readPage = (context: CallScope, id: string, page_number: number) =>
  read(context, 'funding_events.payments', { id, page_number, page_size: size, sort_by: 'id', sort_order: 'asc' })

/** True if no page follows: by the service's count or, without one, because the page is not full. */
function hasAll(last: Page, pages: readonly Page[]): boolean {
  if (rowsSent(last) === 0) return true
  if (last.meta.total_items === undefined) return !isFull(last, size)
  return pages.reduce((sum, page) => sum + rowsSent(page), 0) >= last.meta.total_items
}

type FundingVerdictNoticeProps = { verdict: FundingVerdict; sum: FundingSum; read: FundingLines }

/** Shows whether the payments add up to the event, and possible causes if they do not. */
export function FundingVerdictNotice({ verdict, sum, read }: FundingVerdictNoticeProps) {
  const { error, again, bounded, ended } = read
  return (
    <>
      <Notice
        tone={verdict.tone}
        role="status"
        className="min-h-13 max-sm:min-h-18"
        title={<span className="text-base">{verdict.line}</span>}
      >
        {!ended && (
          <Progress
            value={sum.total ? Math.min(1, sum.read / sum.total) : null}
            label={sum.total ? `${sum.read} of ${sum.total} lines read` : 'Loading lines'}
          />
        )}
        {verdict.why.length > 0 && (
          <ul aria-label="Possible causes" className="list-disc pl-4">
            {verdict.why.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        )}
        {verdict.fits === false && verdict.why.length === 0 && (
          <p>The lines do not explain the difference. Ask the provider, with the event ID and this difference.</p>
        )}
        {bounded && <p>Paydesk loads no more lines at once.</p>}
      </Notice>
      {error && (
        <ErrorNotice
          what={sum.read === 0 ? 'The payments of this event could not be read' : 'The rest of the payments could not be read'}
          error={error.toWire()}
          requestId={error.requestId}
          actions={
            <Button size="small" onClick={again}>
              {sum.read === 0 ? 'Try again' : 'Load more'}
            </Button>
          }
        />
      )}
    </>
  )
}
