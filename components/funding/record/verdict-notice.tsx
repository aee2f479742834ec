'use client'

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { FundingSum, FundingVerdict } from '@/lib/features/funding/sum'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { FundingEventPayment } from '@/lib/operations/funding-events.schema'
import { countServiceRows, findTotalRowCount, isFullPage } from '@/lib/operations/list-count'

/** Lines beyond `maxPages` pages are not read, and the notice states that. */
const pageSize = 250
const maxPages = 80

/** `total` is null if it is not known yet. */
type FundingLinesReadState = {
  lines: readonly FundingEventPayment[]
  /** Lines that could not be read. They count toward the total. */
  unreadable: readonly UnreadableRow[]
  total: number | null
  /** True if no more lines will be read: all are read, `maxPages` is reached, or a read failed. */
  ended: boolean
  /** True if the event has more lines than Paydesk reads (see `maxPages`). */
  bounded: boolean
  error: CallError | null
  /** Repeats the failed read. */
  again: () => void
}

/**
 * Reads all lines of a funding event, page by page, and returns those read so far. The lines are
 * sorted by id, because this order stays the same while the pages are read.
 */
export function useFundingLines(id: string): FundingLinesReadState {
  const context = usePageContext()
  const [requestedPages, setRequestedPages] = useState(1)
  const pageQueries = useQueries({
    queries: Array.from({ length: requestedPages }, (_, before) =>
      buildPageQuery(context, id, before + 1),
    ),
  })
  const pages = pageQueries.flatMap(({ data }) => data ?? [])
  const failedQuery = pageQueries.find(({ error }) => error)
  const lastPage = pages.at(-1)
  const areAllLinesRead = lastPage !== undefined && isLastPage(lastPage, pages)
  const shouldReadNextPage =
    pages.length === requestedPages && !areAllLinesRead && requestedPages < maxPages && !failedQuery
  useEffect(() => {
    if (shouldReadNextPage) setRequestedPages(requestedPages + 1)
  }, [shouldReadNextPage, requestedPages])
  const lines = pages.flatMap((page) => page.data)
  const totalLineCount = lastPage
    ? findTotalRowCount(lastPage, { size: pageSize, number: pages.length })
    : null
  return {
    lines,
    unreadable: pages.flatMap(({ meta }) => meta.unreadable_rows ?? []),
    total: totalLineCount,
    ended: failedQuery !== undefined || areAllLinesRead || pages.length >= maxPages,
    bounded: pages.length >= maxPages && !areAllLinesRead,
    error: failedQuery?.error ?? null,
    again: () => void failedQuery?.refetch(),
  }
}

type FundingLinesPage = CallAnswer<FundingEventPayment[]>

const buildPageQuery = (context: CallScope, id: string, page_number: number) =>
  operationQuery(context, 'funding_events.payments', {
    id,
    page_number,
    page_size: pageSize,
    sort_by: 'id',
    sort_order: 'asc',
  })

/** If the service sends no count, a page that is not full is the last one. */
function isLastPage(last: FundingLinesPage, pages: readonly FundingLinesPage[]): boolean {
  if (countServiceRows(last) === 0) return true
  if (last.meta.total_items === undefined) return !isFullPage(last, pageSize)
  return pages.reduce((sum, page) => sum + countServiceRows(page), 0) >= last.meta.total_items
}

type FundingVerdictNoticeProps = {
  verdict: FundingVerdict
  sum: FundingSum
  read: FundingLinesReadState
}

export function FundingVerdictNotice({ verdict, sum, read }: FundingVerdictNoticeProps) {
  const { error, again, bounded, ended } = read
  return (
    <>
      <Notice
        tone={verdict.tone}
        role="status"
        className={cn(!ended && 'min-h-13 max-sm:min-h-18')}
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
          <p>
            The lines do not explain the difference. Ask the provider, with the event ID and this
            difference.
          </p>
        )}
        {bounded && <p>Paydesk loads no more lines at once.</p>}
      </Notice>
      {error && (
        <ErrorNotice
          what={
            sum.read === 0
              ? 'The payments of this event could not be read'
              : 'The rest of the payments could not be read'
          }
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
