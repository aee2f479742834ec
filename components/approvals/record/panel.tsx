'use client'

import { type ReactNode, useMemo } from 'react'
import { ApprovalAnswerBar } from '@/components/approvals/forms/answer-bar'
import type { NextRequest } from '@/components/approvals/forms/next-request'
import { RequestStateBadge } from '@/components/approvals/list/table'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader } from '@/components/kits/layout/page-header'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { useRefresh } from '@/components/kits/layout/use-refresh'
import { RecordDecisionContext } from '@/components/kits/record/decision-context'
import { FieldTable, FieldValue } from '@/components/kits/record/field-table'
import { Notice } from '@/components/ui/notice'
import { getScopeName } from '@/lib/client/page-context'
import { formatFieldLabel } from '@/lib/domain/field-label'
import { findWarnedCheckId } from '@/lib/domain/warnings'
import { formatRequestTitle } from '@/lib/features/approvals/labels'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { approvalsPath } from '@/lib/routes'
import { RequestPanel } from './request-panel'

type ApprovalRequestViewProps = {
  request: ApprovalDetail
  /** The next request that the person can decide; null if there is none. */
  next: NextRequest | null
  /** The record that the request is about, and facts for the decision. */
  children?: ReactNode
}

/** The page on which the second person decides: the request, its record, and the answer. */
export function ApprovalRequestView({ request, next, children }: ApprovalRequestViewProps) {
  const { action, amount, fields } = request
  const context = usePageContext()
  const [resource = '', id] = action.target?.split('/') ?? []
  const { refresh, reading } = useRefresh([
    { resource: 'actions', id: action.id },
    { resource, ...(id ? { id } : {}) },
  ])
  const { warnings } = action
  const decision = useMemo(
    () => ({
      warned: new Map(warnings.map(({ code, sentence }) => [findWarnedCheckId(code), sentence])),
    }),
    [warnings],
  )
  const changedFields = (fields ?? []).filter(({ changed }) => changed)
  return (
    <article
      aria-label="Request for approval"
      className="flex min-h-[calc(100dvh-3.25rem)] flex-col"
    >
      <div className="flex-1 pb-4">
        <PageHeader
          title={formatRequestTitle(action, amount)}
          meta={
            <>
              {request.payee && action.target === null && (
                <>
                  <ExternalText>{request.payee}</ExternalText>,{' '}
                </>
              )}
              for {getScopeName(context, action.account)} in {context.environment.toUpperCase()}
            </>
          }
          actions={
            <>
              <RequestStateBadge request={request} />
              <RefreshButton reading={reading} onRefresh={refresh} />
            </>
          }
          back={{ href: approvalsPath(context), label: 'All approvals' }}
        />
        <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
          <div className="grid gap-3 xl:order-last">
            <ChangeNotices request={request} names={changedFields.map(({ name }) => name)} />
            <RequestPanel request={request} onAnswered={refresh} />
            <SentFields request={request} />
          </div>
          <div className="grid min-w-0 gap-3">
            {changedFields.length > 0 && (
              <FieldTable
                title="Changes since the request"
                fields={changedFields}
                before="As requested"
                after="Now"
              />
            )}
            <RecordDecisionContext value={decision}>{children}</RecordDecisionContext>
            <AllSeenFields fields={fields} />
          </div>
        </div>
      </div>
      <ApprovalAnswerBar request={request} next={next} onAnswered={refresh} />
    </article>
  )
}

function ChangeNotices({ request, names }: { request: ApprovalDetail; names: readonly string[] }) {
  const { action, unread, fields } = request
  const isCompared = action.state === 'awaiting_approval' && fields !== null && !unread
  if (unread)
    return (
      <Notice tone="held" role="status" title="The record could not be read now">
        <p>
          <ExternalText>{unread}</ExternalText> Only what the requester saw is shown.
        </p>
      </Notice>
    )
  if (names.length === 0)
    return isCompared ? (
      <p className="text-ink-2 text-sm">Nothing changed since this was requested.</p>
    ) : null
  return (
    <Notice tone="bad" role="status" title="The record changed since this was requested">
      <p>
        Changed: {names.map(formatFieldLabel).join(', ')}. Approving will void the request and send
        nothing.
      </p>
    </Notice>
  )
}

/** The payload, without the reason that the request shows already. */
function SentFields({ request: { action, sent } }: { request: ApprovalDetail }) {
  const otherFields = sent.filter(({ name, value }) => name !== 'reason' || value !== action.reason)
  if (otherFields.length === 0) return null
  return (
    <Panel title="What will be sent">
      <FactList>
        {otherFields.map(({ name, value }) => (
          <Fact key={name} name={formatFieldLabel(name)}>
            <FieldValue name={name} text={value} unit="minor" />
          </Fact>
        ))}
      </FactList>
    </Panel>
  )
}

/** Closed at first: the record above shows what matters. */
function AllSeenFields({ fields }: Pick<ApprovalDetail, 'fields'>) {
  if (!fields) return null
  return (
    <details>
      <summary className="w-fit rounded-sm text-accent text-sm">
        All {fields.length} fields as the requester saw them
      </summary>
      <div className="mt-2">
        <FieldTable title="What the requester saw" fields={fields} before="As requested" />
      </div>
    </details>
  )
}
