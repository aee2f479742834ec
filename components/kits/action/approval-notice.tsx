'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { operationQuery } from '@/lib/client/query/reads'
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

/** Returns the approval that a write on the object `id` needs; undefined while loading. */
export function useApprovalNeed(
  operation: WriteId,
  id: string | undefined,
  { account, enabled }: { account: string | null; enabled: boolean },
) {
  const { environment } = usePageContext()
  const queryOptions = operationQuery({ environment, account }, 'approvals.needed', {
    operation,
    target: `${toServiceResource(operation)}/${id}`,
  })
  return useQuery({ ...queryOptions, enabled, staleTime: 0 }).data?.data
}

type ApprovalNoticeOptions = {
  operation: WriteId
  id: string | undefined
  account: string | null
  disabledReason: string | null
}

/**
 * The returned `disabledReason` is the given one, otherwise the reason why the write cannot be
 * requested, or null. `requestLabel`: the label of the button if it only requests the write.
 */
export function useApprovalNotice({
  operation,
  id,
  account,
  disabledReason,
}: ApprovalNoticeOptions): {
  notice: ReactNode
  disabledReason: string | null
  requestLabel: string | null
} {
  const isApprovalCheckEnabled =
    id !== undefined &&
    governedOperationIds.includes(operation) &&
    !operationsWithOwnApprovalNotice.includes(operation)
  const approvalNeed = useApprovalNeed(operation, id, { account, enabled: isApprovalCheckEnabled })
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
