'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { call } from '@/lib/client/call'
import { asCallError, type CallError } from '@/lib/client/call-error'
import type { FundingEventPayment } from '@/lib/operations/funding-events.schema'

/** Lines of one reading, and how many readings are made at most: beyond that the sum is told as unfinished. */
const size = 250
const mostPages = 80

/** The lines of a funding event as far as they were read. `total` is the service's own count; null until it was told. */
export type FundingLines = {
  lines: readonly FundingEventPayment[]
  total: number | null
  /** Reading has ended: everything is there, the bound was reached, or it failed. */
  ended: boolean
  /** More lines than are read at most. */
  bounded: boolean
  error: CallError | null
  /** Goes on where it failed. */
  again: () => void
}

/**
 * Reads all lines of a funding event, page after page, in the order of their ids, because that order stays the same while it is read. Each page
 * is drawn as it arrives.
 */
export function useFundingLines(id: string): FundingLines {
  const desk = useDesk()
  const query = useInfiniteQuery({
    queryKey: [desk.environment, desk.account ?? 'platform', 'funding_events', 'funding_events.payments', id],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(
        'funding_events.payments',
        { id, page_number: pageParam, page_size: size, sort_by: 'id', sort_order: 'asc' },
        { environment: desk.environment, account: desk.account, signal },
      ),
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, page) => sum + page.data.length, 0)
      const isAll = last.data.length === 0 || read >= (last.meta.total_items ?? read)
      return isAll || pages.length >= mostPages ? undefined : pages.length + 1
    },
  })
  const { hasNextPage, isFetching, isError, fetchNextPage, refetch } = query
  const goesOn = hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  const pages = query.data?.pages ?? []
  const lines = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data])
  const total = pages.at(-1)?.meta.total_items ?? null
  return {
    lines,
    total,
    ended: isError || (pages.length > 0 && !hasNextPage),
    bounded: pages.length >= mostPages && total !== null && lines.length < total,
    error: isError ? asCallError(query.error) : null,
    again: () => void (pages.length > 0 ? fetchNextPage() : refetch()),
  }
}
