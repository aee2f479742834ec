import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { Link } from '@/components/kits/layout/link'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { rowLinkClasses } from '@/components/ui/button-variants'
import { Badge, StatusBadge, type Tone } from '@/components/ui/tone'
import { getScopeName } from '@/lib/client/page-context'
import { formatReason } from '@/lib/domain/reasons'
import { actionStateLabels, formatRequestTitle } from '@/lib/features/approvals/labels'
import type { ApprovalRequest } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import { approvalPath } from '@/lib/routes'

const toneByState: Partial<Record<ApprovalRequest['action']['state'], Tone>> = {
  awaiting_approval: 'held',
  sending: 'moving',
  applied: 'good',
  refused: 'bad',
  unknown: 'unknown',
  needs_human: 'unknown',
  rejected: 'bad',
  void: 'bad',
}

export const RequestStateBadge = ({ request: { action } }: { request: ApprovalRequest }) => (
  <StatusBadge tone={toneByState[action.state] ?? 'neutral'}>
    {actionStateLabels[action.state] ?? action.state}
  </StatusBadge>
)

/** States that a question waits for the requester, or was answered. */
function QuestionBadge({ request: { action, questions } }: { request: ApprovalRequest }) {
  const lastQuestion = questions.at(-1)
  if (!lastQuestion || action.state !== 'awaiting_approval') return null
  return <Badge>{lastQuestion.answer === null ? 'Question open' : 'Answered'}</Badge>
}

const buildApprovalColumns = (
  context: PageContext,
  isWaitingList: boolean,
): readonly Column<ApprovalRequest>[] => [
  {
    id: 'what',
    header: 'Request',
    narrow: 'title',
    cell: ({ action, amount }) => (
      <Link href={approvalPath(context, action.id)} className={rowLinkClasses}>
        {formatRequestTitle(action, amount)}
      </Link>
    ),
  },
  {
    id: 'payee',
    header: 'Payee',
    narrow: 'line',
    cell: ({ payee }) => <ExternalText>{payee ?? ''}</ExternalText>,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ action }) => (
      <ExternalText className="text-ink-2">
        {action.reason === null ? 'none' : formatReason(action.reason)}
      </ExternalText>
    ),
    className: '@max-[90rem]:hidden',
  },
  {
    id: 'by',
    header: 'Requested by',
    cell: ({ action }) => <PersonName own={action.own} name={action.actor} />,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ action }) => (
      <ExternalText className="text-ink-2">{getScopeName(context, action.account)}</ExternalText>
    ),
    className: '@max-[72rem]:hidden',
  },
  {
    id: 'when',
    header: isWaitingList ? 'Time left' : 'Requested',
    narrow: 'note',
    cell: ({ action }) => (
      <RelativeTime
        at={isWaitingList ? action.expires_at : action.created_at}
        show="ago"
        className="text-ink-2 text-xs"
      />
    ),
    className: '@min-[44rem]:w-24',
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: (request) => (
      <span className="flex flex-wrap items-center gap-1">
        <span className={isWaitingList ? '@max-[44rem]:hidden' : undefined}>
          <RequestStateBadge request={request} />
        </span>
        {request.approvers_needed === 2 && request.action.state === 'awaiting_approval' && (
          <Badge>{request.first_approval ? '1 of 2' : '0 of 2'}</Badge>
        )}
        <QuestionBadge request={request} />
      </span>
    ),
    className: '@min-[44rem]:w-40',
  },
]

type ApprovalRequestTableProps = {
  context: PageContext
  requests: readonly ApprovalRequest[]
  waiting: boolean
  caption: string
}

export const ApprovalRequestTable = ({
  context,
  requests,
  waiting,
  caption,
}: ApprovalRequestTableProps) => (
  <DataTable
    caption={caption}
    columns={buildApprovalColumns(context, waiting)}
    rows={requests}
    rowId={({ action }) => action.id}
  />
)
