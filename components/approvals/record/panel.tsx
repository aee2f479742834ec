'use client'

import { ApprovalAnswerBar } from '@/components/approvals/forms/answer-bar'
import { RequestStateBadge } from '@/components/approvals/list/table'
import { Link } from '@/components/kits/layout/link'
import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { useRefresh } from '@/components/kits/layout/use-refresh'
import { FieldTable } from '@/components/kits/record/field-table'
import { Notice } from '@/components/ui/notice'
import { getScopeName } from '@/lib/client/page-context'
import { formatFieldLabel } from '@/lib/domain/field-label'
import { formatReason } from '@/lib/domain/reasons'
import { formatRequestTitle, formatRoleAlternatives } from '@/lib/features/approvals/labels'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { targetPath } from '@/lib/routes'

export function ApprovalRequestView({ request }: { request: ApprovalDetail }) {
  const { action, amount, fields } = request
  const areCurrentValuesRead = action.state === 'awaiting_approval' && !request.unread
  const context = usePageContext()
  const [resource = '', id] = action.target?.split('/') ?? []
  const { refresh, reading } = useRefresh([
    { resource: 'actions', id: action.id },
    { resource, ...(id ? { id } : {}) },
  ])
  const changedFields = (fields ?? []).filter((field) => field.changed)
  return (
    <article
      aria-label="Request for approval"
      className="flex min-h-[calc(100dvh-3.25rem)] max-w-4xl flex-col"
    >
      <div className="grid flex-1 content-start gap-3 pb-4">
        <PageHeader
          title={formatRequestTitle(action, amount)}
          meta={`for ${getScopeName(context, action.account)} in ${context.environment.toUpperCase()}`}
          actions={
            <>
              <RequestStateBadge request={request} />
              <RefreshButton reading={reading} onRefresh={refresh} />
            </>
          }
        />
        {changedFields.length > 0 && (
          <Notice tone="bad" role="status" title="The record changed since this was requested">
            <p>
              Changed: {changedFields.map(({ name }) => formatFieldLabel(name)).join(', ')}.
              Approving will void the request and send nothing.
            </p>
          </Notice>
        )}
        {request.unread && (
          <Notice tone="held" role="status" title="The record could not be read now">
            <p>
              <ExternalText>{request.unread}</ExternalText> Only what the requester saw is shown.
            </p>
          </Notice>
        )}
        <ApprovalRequestFacts request={request} />
        {request.sent.length > 0 && (
          <Panel title="What will be sent">
            <FactList>
              {request.sent.map(({ name, value }) => (
                <Fact key={name} name={formatFieldLabel(name)}>
                  <ExternalText>{value}</ExternalText>
                </Fact>
              ))}
            </FactList>
          </Panel>
        )}
        <ComparedFields fields={fields} areCurrentValuesRead={areCurrentValuesRead} />
      </div>
      <ApprovalAnswerBar request={request} onAnswered={refresh} />
    </article>
  )
}

function ComparedFields({
  fields,
  areCurrentValuesRead,
}: Pick<ApprovalDetail, 'fields'> & { areCurrentValuesRead: boolean }) {
  if (!fields) return null
  const changedFields = areCurrentValuesRead ? fields.filter(({ changed }) => changed) : []
  const seenTitle = 'What the requester saw'
  const isUnchanged = areCurrentValuesRead && changedFields.length === 0
  return (
    <>
      {changedFields.length > 0 && (
        <FieldTable
          title="Changes since the request"
          fields={changedFields}
          before="As requested"
          after="Now"
        />
      )}
      <FieldTable
        title={isUnchanged ? `${seenTitle}: unchanged until now` : seenTitle}
        fields={fields}
        before="As requested"
      />
    </>
  )
}

function ApprovalRequestFacts({ request }: { request: ApprovalDetail }) {
  const { action, second } = request
  const context = usePageContext()
  const href = targetPath(context, action.target, { account: action.account })
  return (
    <Panel title="Request">
      <FactList>
        <Fact name="Requested by">
          <PersonName own={action.own} name={action.actor} />,{' '}
          <RelativeTime at={action.created_at} show="both" />
        </Fact>
        {action.state === 'awaiting_approval' && (
          <Fact name="Expires">
            <RelativeTime at={action.expires_at} show="both" />
          </Fact>
        )}
        <Fact name="Requester’s reason">
          <ExternalText>
            {action.reason === null ? 'none' : formatReason(action.reason)}
          </ExternalText>
        </Fact>
        {action.warnings.length > 0 && (
          <Fact name="Accepted warnings">
            <ul className="grid gap-0.5">
              {action.warnings.map(({ code, sentence }) => (
                <li key={code}>{sentence}</li>
              ))}
            </ul>
          </Fact>
        )}
        {href && (
          <Fact name="Record">
            <Link href={href} className="text-accent hover:underline">
              Open the record
            </Link>
          </Fact>
        )}
        <Fact name="Can be approved by">
          Any {formatRoleAlternatives(second)} except the requester
        </Fact>
        {action.approval && (
          <Fact name="Decision">
            {action.approval.by && <>{action.approval.by}, </>}
            <RelativeTime at={action.approval.at} show="both" />
            {action.approval.reason && (
              <>
                : <ExternalText>{action.approval.reason}</ExternalText>
              </>
            )}
          </Fact>
        )}
      </FactList>
    </Panel>
  )
}
