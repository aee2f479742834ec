'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { AttemptsTable } from './attempts-table'
import type { Outcome } from './outcome'
import { outcomeWords } from './outcome-words'

type OutcomePanelProps = {
  outcome: Outcome
  /** What is there now, in words, for an object that changed meanwhile. */
  now?: string
  actions?: ReactNode
  onStartOver?: () => void
  onSignedIn?: () => void
  onDismiss?: () => void
}

/** What came of a write, in place. Focus goes to its heading, so that whoever acted by keyboard or ear hears it first. */
export function OutcomePanel({ outcome, now, actions, onStartOver, onSignedIn, onDismiss }: OutcomePanelProps) {
  const words = outcomeWords(outcome)
  const heading = useRef<HTMLSpanElement>(null)
  const said = `${words.title} ${outcome.action?.id ?? ''}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another outcome takes the focus again, a redraw of the same does not
  useEffect(() => heading.current?.focus({ preventScroll: true }), [said])
  return (
    <Notice
      tone={words.tone}
      role={words.urgent ? 'alert' : 'status'}
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span ref={heading} tabIndex={-1} className="text-base">
            {words.title}
          </span>
          {(outcome.replayed || outcome.action?.replayed) && <Badge>Replayed</Badge>}
        </span>
      }
      actions={
        <>
          {actions}
          {words.next === 'start_over' && onStartOver && <Button onClick={onStartOver}>Start over with a new key</Button>}
          {onDismiss && words.next !== 'sign_in' && (
            <Button size="small" variant="quiet" onClick={onDismiss}>
              Dismiss
            </Button>
          )}
        </>
      }
    >
      <p>{words.text}</p>
      {words.next === 'sign_in' ? <SignInAgain onSignedIn={onSignedIn} /> : <Particulars outcome={outcome} unless={words.text} now={now} />}
    </Notice>
  )
}

/** Where the session ended: nothing was sent and nothing can be quoted; signing in sends nothing either. */
function SignInAgain({ onSignedIn }: Pick<OutcomePanelProps, 'onSignedIn'>) {
  const desk = useDesk()
  return (
    <div className="mt-2 max-w-sm">
      <CredentialsForm email={desk.person.email} onDone={() => onSignedIn?.()} />
    </div>
  )
}

function Particulars({ outcome, unless, now }: Pick<OutcomePanelProps, 'outcome' | 'now'> & { unless: string }) {
  // What was placed at its field is left out of the answer's own error, and is not said twice.
  const error = outcome.error ?? outcome.action?.error
  return (
    <>
      {error && <ServiceSaid error={error} unless={unless} />}
      {error?.code === 'changed' && now && <p className="font-medium text-ink">Now: {now}</p>}
      <Trace outcome={outcome} />
    </>
  )
}

/** Only the service's own words stand in quotes; ours do not pretend to be somebody else's. */
const isQuote = ({ code }: { code: string }) => code.startsWith('service_')

function ServiceSaid({ error, unless }: { error: NonNullable<Outcome['error']>; unless: string }) {
  const detail = error.detail === error.title || error.detail === unless ? null : error.detail
  return (
    <>
      {detail && <p className="text-ink">{isQuote(error) ? `“${detail}”` : detail}</p>}
      {error.items && error.items.length > 0 && (
        <ul className="list-disc pl-4">
          {error.items.map((item) => (
            <li key={`${item.reference} ${item.detail}`}>
              <span className="font-medium text-ink">{item.reference}</span>: {item.detail}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The ids to quote: every attempt of the action, or the one request that never became an action. */
function Trace({ outcome: { action, error } }: { outcome: Outcome }) {
  if (action && action.attempts.length > 0) return <AttemptsTable action={action} />
  if (action || !error?.requestId) return null
  return (
    <p className="flex items-center gap-1 text-ink-3 text-xs">
      Request <code className="break-all font-mono">{error.requestId}</code>
      <CopyButton text={error.requestId} what="request id" />
    </p>
  )
}
