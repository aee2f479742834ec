'use client'

import { type FormEvent, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Field, Select } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import type { CallError } from '@/lib/client/call-error'
import { useOperation } from '@/lib/client/query/writes'
import type { ActionView } from '@/lib/operations/answer'

type DecideOutcomeProps = {
  action: ActionView
  disabledReason: string | null
  onDecided: (action: ActionView) => void
}

type DecidableOutcome = 'applied' | 'refused'

const decidedOutcomeLabels: Readonly<Record<DecidableOutcome, string>> = {
  applied: 'The action was carried out',
  refused: 'The action was not carried out',
}

type DecisionFieldErrors = { outcome?: string; evidence?: string }

/**
 * Assigns a refusal to the form's fields `evidence` and `outcome`. An error that names neither
 * field is shown at `evidence`.
 */
export function toDecisionFieldErrors(
  error: Pick<CallError, 'items' | 'message'>,
): DecisionFieldErrors {
  const fieldItems = error.items.filter(
    ({ reference }) => reference === 'evidence' || reference === 'outcome',
  )
  if (fieldItems.length === 0) return { evidence: error.message }
  return Object.fromEntries(fieldItems.map(({ reference, detail }) => [reference, detail]))
}

/**
 * Two people decide an outcome that the service can no longer confirm: the first proposes it with
 * evidence, the second confirms it. Nothing is sent to the service.
 */
export function DecideOutcome({ disabledReason, ...props }: DecideOutcomeProps) {
  if (disabledReason === null) return <OutcomeDecisionForm {...props} />
  return (
    <div className="grid w-full gap-2">
      <OutcomeProposalText action={props.action} />
      <p>{disabledReason}</p>
      <div>
        <Button disabledReason={disabledReason}>Decide</Button>
      </div>
    </div>
  )
}

function OutcomeProposalText({ action: { proposal } }: { action: ActionView }) {
  if (!proposal) return null
  return (
    <p>
      <strong className="font-medium text-ink">
        {proposal.own ? 'You' : <ExternalText>{proposal.by}</ExternalText>} proposed{' '}
        <RelativeTime at={proposal.at} show="ago" />:{' '}
        {decidedOutcomeLabels[proposal.outcome].toLowerCase()}.
      </strong>{' '}
      “<ExternalText>{proposal.evidence}</ExternalText>”{' '}
      {!proposal.own &&
        'Choose the same to confirm it; another answer takes its place and needs another person to confirm it.'}
    </p>
  )
}

function OutcomeDecisionForm({ action, onDecided }: Omit<DecideOutcomeProps, 'disabledReason'>) {
  const [outcome, setOutcome] = useState<DecidableOutcome | ''>('')
  const [evidence, setEvidence] = useState('')
  const [fieldErrors, setFaults] = useState<DecisionFieldErrors>({})
  const { id, environment } = action
  const { mutate, isPending } = useOperation<'actions.decide'>({ environment, account: null })
  const submitDecision = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    if (outcome === '') return setFaults({ outcome: 'Choose what happened.' })
    setFaults({})
    mutate(
      { operation: 'actions.decide', input: { id, outcome, evidence } },
      {
        onSuccess: (answer) => answer.action && onDecided(answer.action),
        onError: (error) => setFaults(toDecisionFieldErrors(error)),
      },
    )
  }
  return (
    <form noValidate onSubmit={submitDecision} className="grid w-full gap-2">
      <OutcomeProposalText action={action} />
      <p>
        Check the current record and ask the provider, using the attempt IDs. Decide only on what
        you saw or received in writing. A decision sends nothing, and two people besides the sender
        must agree on it.
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(10rem,1fr)_3fr]">
        <Field label="What happened" error={fieldErrors.outcome}>
          {(control) => (
            <Select
              {...control}
              value={outcome}
              onChange={(event) => setOutcome(event.target.value as DecidableOutcome | '')}
            >
              <option value="">Choose…</option>
              {Object.entries(decidedOutcomeLabels).map(([word, text]) => (
                <option key={word} value={word}>
                  {text}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Evidence"
          hint={`20 to 500 characters, ${evidence.length} now. No names, no account numbers.`}
          error={fieldErrors.evidence}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={500}
              value={evidence}
              onChange={(event) => setEvidence(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div>
        <Button type="submit" variant="primary" loading={isPending}>
          {action.proposal ? 'Decide' : 'Propose'}
        </Button>
      </div>
    </form>
  )
}
