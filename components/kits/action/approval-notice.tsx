'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { useDebounced } from '@/lib/client/use-debounced'
import { formatRoles } from '@/lib/domain/permissions'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import { governedOperationIds } from '@/lib/operations/policies'
import {
  getServiceOperation,
  toServiceResource,
  type WriteId,
} from '@/lib/operations/service-operations'

// No approval notice is shown for these operations: the form for a deletion request shows its own.
const operationsWithOwnApprovalNotice: readonly string[] = ['customers.delete']

export function whyApprovalNotRequestable({ possible, second }: ApprovalNeed): string | null {
  if (possible) return null
  if (second.length === 0) return 'The approval policy blocks this.'
  return `A second person (${formatRoles(second)}) must approve this, and nobody else can: an admin can grant the role to another person.`
}

/** `cents` is null while no amount is typed. Without `paykey`, it is that of the changed payment. */
export type TypedPayment = { cents: number | null; paykey?: string }

type ApprovalNeedOptions = {
  account: string | null
  enabled: boolean
  payment?: TypedPayment | undefined
}

const typingPauseMs = 300

/**
 * Returns the approval that a write needs; undefined while loading. `id` is undefined if the write
 * creates an object. While a person types, the result is that of the previous amount.
 */
export function useApprovalNeed(
  operation: WriteId,
  id: string | undefined,
  { account, enabled, payment }: ApprovalNeedOptions,
) {
  const { environment } = usePageContext()
  const amount = useDebounced(payment?.cents ?? undefined, typingPauseMs)
  const queryOptions = operationQuery({ environment, account }, 'approvals.needed', {
    operation,
    amount,
    paykey_id: payment?.paykey,
    target: id === undefined ? undefined : `${toServiceResource(operation)}/${id}`,
  })
  return useQuery({ ...queryOptions, enabled, staleTime: 0, placeholderData: keepPreviousData })
    .data?.data
}

type ApprovalNoticeOptions<V> = {
  operation: WriteId
  id?: string
  account: string | null
  typed: V
  payment?: (typed: V) => TypedPayment
  disabledReason: string | null
}

/**
 * The returned `disabledReason` is the given one, otherwise the reason why the write cannot be
 * requested, or null. `requestLabel`: the label of the button if it only requests the write.
 */
export function useApprovalNotice<V>({
  operation,
  id,
  account,
  typed,
  disabledReason,
  ...options
}: ApprovalNoticeOptions<V>): {
  notice: ReactNode
  disabledReason: string | null
  requestLabel: string | null
} {
  const payment = options.payment?.(typed)
  const isApprovalCheckEnabled =
    (id !== undefined || (payment?.cents != null && payment.paykey !== '')) &&
    governedOperationIds.includes(operation) &&
    !operationsWithOwnApprovalNotice.includes(operation)
  const approvalNeed = useApprovalNeed(operation, id, {
    account,
    payment,
    enabled: isApprovalCheckEnabled,
  })
  if (!approvalNeed || (approvalNeed.possible && approvalNeed.second.length === 0))
    return { notice: null, disabledReason, requestLabel: null }
  const approvalNotRequestableReason = whyApprovalNotRequestable(approvalNeed)
  const noticeText =
    approvalNotRequestableReason ??
    `Another person (${formatRoles(approvalNeed.second)}) must approve this: it is sent once they do.`
  return {
    notice: (
      <p
        className={
          approvalNotRequestableReason ? 'font-medium text-bad text-sm' : 'text-ink-2 text-sm'
        }
      >
        {noticeText}
      </p>
    ),
    disabledReason: disabledReason ?? approvalNotRequestableReason,
    requestLabel: approvalNeed.possible
      ? `Request ${getServiceOperation(operation).requestNoun}`
      : null,
  }
}
