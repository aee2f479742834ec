import 'server-only'
import { formatRequestTitle } from '@/lib/features/approvals/labels'
import { loadDecidableProposal } from '@/lib/features/approvals/server/proposal'
import { loadApprovalRequests } from '@/lib/features/approvals/server/requests'
import { type QueueReadResult, type QueueRow, rowsPerQueue } from '@/lib/features/home/queues'
import type { ApprovalRequest } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import type { PolicyVersion } from '@/lib/operations/policies'
import { approvalPath, approvalsPath, policiesPath } from '@/lib/routes'
import { getCurrentActor } from '@/lib/server/auth/session'
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

const toProposalRow = (context: PageContext, proposed: PolicyVersion): QueueRow => ({
  key: `policies/${proposed.version}`,
  href: policiesPath(context),
  title: `Approval policy, version ${proposed.version}`,
  line: `Awaiting your approval · proposed by ${proposed.proposed_by ?? 'a removed person'}`,
  since: proposed.proposed_at,
})

/** Requests come before a proposed policy, which does not expire. Leaves out the person's own. */
export async function readApprovalsGroup(context: PageContext): Promise<QueueReadResult> {
  const actor = await getCurrentActor()
  const [waitingRequests, proposal] = await Promise.all([
    loadApprovalRequests(context, 'waiting'),
    actor && loadDecidableProposal(actor, context.environment),
  ])
  const requestRows = waitingRequests
    .filter(({ disabled_reason }) => disabled_reason === null)
    .map((request) => toApprovalRow(context, request))
  const rows = proposal ? [...requestRows, toProposalRow(context, proposal)] : requestRows
  return {
    ok: true,
    group: {
      ...{
        id: 'approvals',
        total: rows.length,
        atLeast: false,
        readAt: new Date().toISOString(),
      },
      rows: rows.slice(0, rowsPerQueue),
      oldest: findOldestTime(rows.map(({ since }) => since)),
      href: approvalsPath(context),
    },
  }
}
