'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

/** Query key of the hold reason that a payment's panel showed last. It is never fetched. */
const toQueryKey = (id: string) => ['hold_reason', id]

/** Stores the hold reason that the panel shows, so that the payment's row in the list shows the same text. */
export function useShareHoldReason(id: string, line: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (line !== undefined && client.getQueryData(toQueryKey(id)) !== line) client.setQueryData(toQueryKey(id), line)
  }, [client, id, line])
}

/**
 * Returns the hold reason that a panel has shown since the row was rendered. Undefined if there is none: a refreshed row contains its own.
 */
export function useNewerHoldReason(id: string, rendered: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new row data resets the time
  const renderedAt = useMemo(() => Date.now(), [rendered])
  const { data, dataUpdatedAt } = useQuery<string>({ queryKey: toQueryKey(id), queryFn: skipToken })
  return dataUpdatedAt > renderedAt ? data : undefined
}
