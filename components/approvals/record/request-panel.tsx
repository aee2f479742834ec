import { RequestQuestions } from '@/components/approvals/forms/questions'
import { Link } from '@/components/kits/layout/link'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { formatReason } from '@/lib/domain/reasons'
import { formatRoleAlternatives } from '@/lib/features/approvals/labels'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { targetPath } from '@/lib/routes'

type RequestPanelProps = { request: ApprovalDetail; onAnswered: () => void }

/** Shows the requester, the reason, the accepted warnings and the questions of approvers. */
export function RequestPanel({ request, onAnswered }: RequestPanelProps) {
  const { action, second } = request
  const context = usePageContext()
  const recordHref = targetPath(context, action.target, { account: action.account })
  return (
    <Panel title="Request">
      <div className="grid gap-3">
        <FactList>
          <Fact name="Reason">
            <ExternalText className="font-medium">
              {action.reason === null ? 'none' : formatReason(action.reason)}
            </ExternalText>
          </Fact>
          <Fact name="Requested by">
            <PersonName own={action.own} name={action.actor} />,{' '}
            <RelativeTime at={action.created_at} show="both" />
          </Fact>
          {action.state === 'awaiting_approval' && (
            <Fact name="Time left">
              expires <RelativeTime at={action.expires_at} show="both" />
            </Fact>
          )}
          {action.warnings.length > 0 && (
            <Fact name="Accepted warnings">
              <ul className="grid gap-0.5">
                {action.warnings.map(({ code, sentence }) => (
                  <li key={code}>{sentence}</li>
                ))}
              </ul>
            </Fact>
          )}
          <Fact name="Can be approved by">
            {request.approvers_needed === 2 ? 'Two people, each' : 'Any'}{' '}
            {formatRoleAlternatives(second)} except the requester
          </Fact>
          {request.first_approval && (
            <Fact name="First approval">
              <ExternalText>{request.first_approval.by}</ExternalText>,{' '}
              <RelativeTime at={request.first_approval.at} show="both" />
            </Fact>
          )}
          {recordHref && (
            <Fact name="Record">
              <Link href={recordHref} className="text-accent hover:underline">
                Open the record
              </Link>
            </Fact>
          )}
          <DecisionFact approval={action.approval} />
        </FactList>
        <RequestQuestions request={request} recordHref={recordHref} onAnswered={onAnswered} />
      </div>
    </Panel>
  )
}

function DecisionFact({ approval }: Pick<ApprovalDetail['action'], 'approval'>) {
  if (!approval) return null
  return (
    <Fact name="Decision">
      {approval.by && <>{approval.by}, </>}
      <RelativeTime at={approval.at} show="both" />
      {approval.reason && (
        <>
          : <ExternalText>{approval.reason}</ExternalText>
        </>
      )}
    </Fact>
  )
}
