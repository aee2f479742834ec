import 'server-only'
import { formatRequestTitle } from '@/lib/features/approvals/labels'
import { loadApprovalRequests } from '@/lib/features/approvals/server/requests'
import { type QueueReadResult, type QueueRow, rowsPerQueue } from '@/lib/features/home/queues'
import type { ApprovalRequest } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import { approvalPath, approvalsPath } from '@/lib/routes'
import { findOldestTime } from './queue-read'

/** An action without an account is about an object of the platform, so the row names no account. */
const toApprovalRow = (context: PageContext, { action, amount }: ApprovalRequest): QueueRow => ({
  key: `approvals/${action.id}`,
  href: approvalPath(context, action.id),
  title: formatRequestTitle(action, amount),
  ...(action.target ? { tail: `…${action.target.slice(-6)}` } : {}),
  line: `Awaiting your approval · requested by ${action.actor}`,
  since: action.created_at,
  account: context.account === null ? (action.account ?? undefined) : undefined,
})

/** Leaves out the person's own requests. */
export async function readApprovalsGroup(context: PageContext): Promise<QueueReadResult> {
  const approvableRequests = (await loadApprovalRequests(context, 'waiting')).filter(
    ({ disabled_reason }) => disabled_reason === null,
  )
  return {
    ok: true,
    group: {
      ...{
        id: 'approvals',
        total: approvableRequests.length,
        atLeast: false,
        readAt: new Date().toISOString(),
      },
      rows: approvableRequests
        .slice(0, rowsPerQueue)
        .map((request) => toApprovalRow(context, request)),
      oldest: findOldestTime(approvableRequests.map(({ action }) => action.created_at)),
      href: approvalsPath(context),
    },
  }
}
