'use client'

import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

/** Cache key for the hold reason that a payment's panel showed last. It is never fetched. */
const toHoldReasonQueryKey = (id: string) => ['hold_reason', id]

/**
 * Stores the hold reason that the panel shows, so that the payment's row in the list shows the same
 * text.
 */
export function useCacheHoldReason(id: string, holdReason: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (holdReason !== undefined && client.getQueryData(toHoldReasonQueryKey(id)) !== holdReason)
      client.setQueryData(toHoldReasonQueryKey(id), holdReason)
  }, [client, id, holdReason])
}

/**
 * Returns the hold reason that the payment's panel showed after the list row was rendered.
 * Undefined if the panel showed none since: then the row's own reason is the newer one. `rowData`
 * is the row's data; new data means a new row.
 */
export function useNewerCachedHoldReason(id: string, rowData: unknown): string | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new row data resets the time
  const renderedAt = useMemo(() => Date.now(), [rowData])
  const { data, dataUpdatedAt } = useQuery<string>({
    queryKey: toHoldReasonQueryKey(id),
    queryFn: skipToken,
  })
  return dataUpdatedAt > renderedAt ? data : undefined
}
