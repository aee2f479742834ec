'use client'

import { type ReactNode, useState } from 'react'
import { ErrorItems } from '@/components/kits/feedback/error-notice'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { focusIntoView } from '@/components/kits/layout/focus'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { type NextQueueRecord, nextShortcutKey } from '@/components/kits/queue/next-context'
import { Button, Kbd } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Badge } from '@/components/ui/tone'
import { type ChangeSources, findLatestChange } from '@/lib/domain/latest-change'
import { formatReason } from '@/lib/domain/reasons'
import type { EvidenceView } from '@/lib/operations/answer'
import { AttemptsTable } from './attempts-table'
import type { Outcome } from './outcome'
import { toOutcomeWords } from './outcome-words'

export function LatestChangeText({ happened }: { happened: ChangeSources }) {
  const latestChange = findLatestChange(happened)
  if (latestChange === null)
    return <p className="text-ink">Changed outside Paydesk, by an unknown source.</p>
  return (
    <p className="text-ink">
      Changed {latestChange.outside ? 'outside Paydesk by' : 'by'}{' '}
      <ExternalText className="font-medium">{latestChange.by}</ExternalText>,{' '}
      <RelativeTime at={latestChange.at} />
      {latestChange.reason && (
        <>
          : “<ExternalText>{formatReason(latestChange.reason)}</ExternalText>”
        </>
      )}
    </p>
  )
}

export function RecordChangedNotice({ happened, now }: { happened: ChangeSources; now: string }) {
  const recordChange = findLatestChange(happened)
  const [initialChangeTime] = useState(recordChange?.at)
  if (recordChange === null || recordChange.at === initialChangeTime || recordChange.by === 'you')
    return null
  return (
    <Notice tone="held" role="status" title="This changed while the form was open">
      <LatestChangeText happened={happened} />
      <p>
        Now: <ExternalText className="font-medium text-ink">{now}</ExternalText>. Your entries are
        kept.
      </p>
    </Notice>
  )
}

type OutcomePanelProps = {
  outcome: Outcome
  /** The object's current state. Shown if the write was refused because the object had changed. */
  now?: string
  /** The sources in which the author of a change is found. Undefined: the author is not shown. */
  happened?: ChangeSources
  actions?: ReactNode
  onStartOver?: () => void
  onSignedIn?: () => void
  onDismiss?: () => void
}

/** The heading of each new outcome takes the focus, for keyboard and screen reader users. */
export function OutcomePanel({
  outcome,
  now,
  happened,
  actions,
  onStartOver,
  onSignedIn,
  onDismiss,
}: OutcomePanelProps) {
  const outcomeWords = toOutcomeWords(outcome)
  return (
    <Notice
      tone={outcomeWords.tone}
      role={outcomeWords.urgent ? 'alert' : 'status'}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span
            key={`${outcomeWords.title} ${outcome.action?.id ?? ''}`}
            ref={focusIntoView}
            tabIndex={-1}
            // The margin keeps it below the top bar.
            className="scroll-mt-24 text-base"
          >
            {outcomeWords.title}
          </span>
          {(outcome.replayed || outcome.action?.replayed) && <Badge>Replayed</Badge>}
        </span>
      }
      actions={
        <>
          {actions}
          {outcomeWords.next === 'start_over' && onStartOver && (
            <Button onClick={onStartOver}>Start over with a new key</Button>
          )}
          {onDismiss && outcomeWords.next !== 'sign_in' && (
            <Button size="small" variant="quiet" onClick={onDismiss}>
              Dismiss
            </Button>
          )}
        </>
      }
    >
      <p>{outcomeWords.text}</p>
      {outcomeWords.next === 'sign_in' ? (
        <SignInAgainForm onSignedIn={onSignedIn} />
      ) : (
        <OutcomeDetails
          outcome={outcome}
          unless={outcomeWords.text}
          now={now}
          happened={happened}
        />
      )}
    </Notice>
  )
}

/** The session had ended: nothing was sent to the service. Signing in does not send the write. */
function SignInAgainForm({ onSignedIn }: Pick<OutcomePanelProps, 'onSignedIn'>) {
  const context = usePageContext()
  return (
    <div className="mt-2 max-w-sm">
      <CredentialsForm email={context.person.email} onDone={() => onSignedIn?.()} />
    </div>
  )
}

function OutcomeDetails({
  outcome,
  unless,
  now,
  happened,
}: Pick<OutcomePanelProps, 'outcome' | 'now' | 'happened'> & { unless: string }) {
  // `outcome.error` comes first: it omits the invalid fields that the form already marks.
  const error = outcome.error ?? outcome.action?.error
  return (
    <>
      {error && <ServiceErrorText error={error} unless={unless} />}
      {error?.code === 'changed' && happened && <LatestChangeText happened={happened} />}
      {error?.code === 'changed' && now && (
        <p className="font-medium text-ink">
          Now: <ExternalText>{now}</ExternalText>
        </p>
      )}
      {outcome.action && outcome.action.evidence.length > 0 && (
        <WebhookEvidence events={outcome.action.evidence} />
      )}
      <RequestIds outcome={outcome} />
    </>
  )
}

/** Webhooks are evidence only and do not confirm the outcome. */
const WebhookEvidence = ({ events }: { events: readonly EvidenceView[] }) => (
  <div>
    <p>Webhooks about this record since the action, which alone do not confirm the outcome:</p>
    <ul aria-label="Webhooks since the action">
      {events.map(({ webhook_id, event_type, status, received_at }) => (
        <li key={webhook_id} className="text-ink">
          <ExternalText>
            {status ? `${event_type}: ${status.replaceAll('_', ' ')}` : event_type}
          </ExternalText>
          , <RelativeTime at={received_at} />
        </li>
      ))}
    </ul>
  </div>
)

/** A text of the service is shown in quotation marks; Paydesk's own texts are not. */
const isServiceError = ({ code }: { code: string }) => code.startsWith('service_')

function ServiceErrorText({
  error,
  unless,
}: {
  error: NonNullable<Outcome['error']>
  unless: string
}) {
  const distinctDetail =
    error.detail === error.title || error.detail === unless ? null : error.detail
  return (
    <>
      {distinctDetail && (
        <p className="text-ink">
          <ExternalText>
            {isServiceError(error) ? `“${distinctDetail}”` : distinctDetail}
          </ExternalText>
        </p>
      )}
      <ErrorItems items={error.items} />
    </>
  )
}

/** If the refused request created no action, shows the id of that request. */
function RequestIds({ outcome: { action, error } }: { outcome: Outcome }) {
  if (action && action.attempts.length > 0) return <AttemptsTable action={action} />
  if (action || !error?.requestId) return null
  return (
    <p className="flex items-center gap-1 text-ink-3 text-xs">
      Request <code className="break-all font-mono">{error.requestId}</code>
      <CopyButton text={error.requestId} what="request ID" />
    </p>
  )
}

export const NextRecordButton = ({ next }: { next: NextQueueRecord }) =>
  next.name === null ? (
    <p className="font-medium text-ink">{next.end}</p>
  ) : (
    <Button onClick={next.go} className="min-w-0 max-w-full">
      <span className="truncate">
        Next: <ExternalText>{next.name}</ExternalText>
      </span>
      <Kbd className="max-sm:hidden">{nextShortcutKey}</Kbd>
    </Button>
  )
