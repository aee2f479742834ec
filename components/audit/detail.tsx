'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { PageHeader, pageClasses } from '@/components/kits/layout/page-header'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FieldTable } from '@/components/kits/record/field-table'
import { StatusBadge } from '@/components/ui/tone'
import { getAccountName } from '@/lib/client/page-context'
import { formatFieldLabel } from '@/lib/domain/field-label'
import { formatReason } from '@/lib/domain/reasons'
import type { ActionView } from '@/lib/operations/answer'
import type { ComparedField } from '@/lib/operations/approvals'
import type { AuditDetail } from '@/lib/operations/audit'
import { auditPath } from '@/lib/routes'
import { outcomeLabels } from './filters'
import { AuditActor, AuditTargetLink, outcomeTones } from './table'

/**
 * Matches ids and hashes. They are monospaced, because people compare them character by character.
 */
const idOrHashPattern = /^[\w-]{16,}$/

const auditFieldLabels: ReadonlyMap<string, string> = new Map([
  ['api_request_id', 'The service’s request ID'],
  ['status', 'HTTP status'],
  ['replayed', 'Repeat of an earlier request'],
])

type AuditEntryDecision = {
  action: ActionView
  fields: ComparedField[] | null
  isAnswered: boolean
}

function DecisionPanel({ action }: { action: ActionView }) {
  return (
    <Panel title="Decision">
      <FactList>
        <Fact name="Requested by">
          <ExternalText>{action.actor}</ExternalText>
        </Fact>
        <Fact name="Reason">
          {action.reason ? (
            <ExternalText>{formatReason(action.reason)}</ExternalText>
          ) : (
            'none was required'
          )}
        </Fact>
        <Fact name="Warnings accepted">
          {action.warnings.length > 0
            ? action.warnings.map(({ sentence }) => sentence).join(' ')
            : 'none'}
        </Fact>
        <Fact name="Second person">
          {action.approval ? (
            <>
              {action.approval.outcome} by{' '}
              <ExternalText>{action.approval.by ?? 'the desk'}</ExternalText>
              {action.approval.reason && (
                <>
                  : <ExternalText>{action.approval.reason}</ExternalText>
                </>
              )}
            </>
          ) : (
            'none was needed'
          )}
        </Fact>
        {action.approval && action.approval.documents.length > 0 && (
          <Fact name="Documents opened before">
            {action.approval.documents.filter(({ opened_at }) => opened_at).length} of{' '}
            {action.approval.documents.length}
          </Fact>
        )}
        <Fact name="State">{action.state.replaceAll('_', ' ')}</Fact>
        <Fact name="Sent">
          {action.attempts.length === 1 ? 'once' : `${action.attempts.length} times, under one key`}
        </Fact>
        {action.file && (
          <Fact name="Document">
            <ExternalText>{action.file.name}</ExternalText>, SHA-256{' '}
            <code className="break-all text-xs">{action.file.sha256}</code>
          </Fact>
        )}
      </FactList>
    </Panel>
  )
}

export function AuditEntry({
  detail,
  decided,
}: {
  detail: AuditDetail
  decided: AuditEntryDecision | null
}) {
  const { row, fields, body, prev, hash } = detail
  const context = usePageContext()
  return (
    <article className={pageClasses.text}>
      <PageHeader
        title={row.what}
        meta={`Row ${row.seq.toLocaleString('en-US')}`}
        back={{ href: auditPath(context), label: 'All rows' }}
      />
      <Panel
        title="What is on record"
        aside={
          <StatusBadge tone={outcomeTones[row.outcome]}>{outcomeLabels[row.outcome]}</StatusBadge>
        }
      >
        <FactList>
          <Fact name="Time">
            <RelativeTime at={row.at} show="both" />
          </Fact>
          <Fact name="User">
            <AuditActor actor={row.actor} />
          </Fact>
          <Fact name="Environment">{detail.environment ?? 'none'}</Fact>
          <Fact name="Account">
            {row.account ? (
              <ExternalText>{getAccountName(context, row.account)}</ExternalText>
            ) : (
              'none'
            )}
          </Fact>
          <Fact name="Record">
            <AuditTargetLink row={row} />
          </Fact>
          {row.action && (
            <Fact name="Action ID">
              <code className="text-xs">{row.action}</code>
            </Fact>
          )}
          {row.request_id && (
            <Fact name="Paydesk’s request ID">
              <code className="text-xs">{row.request_id}</code>
            </Fact>
          )}
          {fields.map(({ name, value }) => (
            <Fact key={name} name={auditFieldLabels.get(name) ?? formatFieldLabel(name)}>
              {idOrHashPattern.test(value) ? (
                <code className="break-all text-xs">{value}</code>
              ) : (
                <ExternalText>{value}</ExternalText>
              )}
            </Fact>
          ))}
        </FactList>
      </Panel>
      {decided && <DecisionPanel action={decided.action} />}
      {decided?.fields &&
        (decided.isAnswered ? (
          <FieldTable
            title="Before and after"
            fields={decided.fields}
            before="On the screen"
            after="Answered by the service"
          />
        ) : (
          <FieldTable
            title="On the screen when it was decided"
            fields={decided.fields}
            before="Value"
          />
        ))}
      <Panel title="Link">
        <div className="grid gap-3">
          <FactList>
            <Fact name="Hash">
              <code className="break-all text-xs">{hash}</code>
            </Fact>
            <Fact name="Hash before it">
              <code className="break-all text-xs">{prev || 'none: it is the first row'}</code>
            </Fact>
          </FactList>
          <details>
            <summary className="w-fit text-accent text-sm">As it is hashed</summary>
            <pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-all rounded-sm bg-sunken p-2 text-xs">
              {body}
            </pre>
          </details>
        </div>
      </Panel>
    </article>
  )
}
