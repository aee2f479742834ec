'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

/** Query key of the hold reason last shown in a payment's panel. Nothing fetches it. */
const keyOf = (id: string) => ['hold_reason', id]

/** Shares the hold reason shown in the panel with the payment's list rows, so that both show the same text. */
export function useShareHoldReason(id: string, line: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (line !== undefined && client.getQueryData(keyOf(id)) !== line) client.setQueryData(keyOf(id), line)
  }, [client, id, line])
}

/** Returns the reason that a panel showed after the row was rendered; undefined if there is none. A refreshed list has its own. */
export function useNewerHoldReason(id: string, rendered: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new row data resets the time
  const renderedAt = useMemo(() => Date.now(), [rendered])
  const { data, dataUpdatedAt } = useQuery<string>({ queryKey: keyOf(id), queryFn: skipToken })
  return dataUpdatedAt > renderedAt ? data : undefined
}
