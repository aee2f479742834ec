'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import { rolesText } from '@/lib/domain/permissions'
import type { ApprovalNeed } from '@/lib/operations/approvals'
import { governedIds } from '@/lib/operations/policies'
import { toServiceResource, type WriteId } from '@/lib/operations/service-operations'

// A deletion request has its own form, which shows its own notice.
const ownNoticeOperations: readonly string[] = ['customers.delete']

/** Returns the reason a write cannot be requested: blocked by the policy, or no other person can approve it. Null if it can. */
export function whyNotRequestable({ possible, second }: ApprovalNeed): string | null {
  if (possible) return null
  if (second.length === 0) return 'The approval policy blocks this.'
  return `A second person (${rolesText(second)}) must approve this, and nobody else can: an admin can grant the role to another person.`
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

type ApprovalNoticeOptions = { operation: WriteId; id: string | undefined; account: string | null; disabledReason: string | null }

/**
 * Returns a notice that a write on the record `id` needs approval, shown before the person fills in the form. `disabledReason` is the given
 * one, otherwise the reason the write cannot be requested.
 */
export function useApprovalNotice({ operation, id, account, disabledReason }: ApprovalNoticeOptions): {
  notice: ReactNode
  disabledReason: string | null
} {
  const enabled = id !== undefined && governedIds.includes(operation) && !ownNoticeOperations.includes(operation)
  const approvalNeed = useApprovalNeed(operation, id, { account, enabled })
  if (!approvalNeed || (approvalNeed.possible && approvalNeed.second.length === 0)) return { notice: null, disabledReason }
  const why = whyNotRequestable(approvalNeed)
  const noticeText = why ?? `Another person (${rolesText(approvalNeed.second)}) must approve this: it is sent once they do.`
  return {
    notice: <p className={why ? 'font-medium text-bad text-sm' : 'text-ink-2 text-sm'}>{noticeText}</p>,
    disabledReason: disabledReason ?? why,
  }
}
