'use client'

import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNow } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { Field, Select } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { call } from '@/lib/client/call'
import { asCallError } from '@/lib/client/call-error'
import { checkAction, readAction } from '@/lib/client/queries'
import { useQuery } from '@/lib/client/use-query'
import { useMutation } from '@/lib/client/write'
import { agoText } from '@/lib/dates'
import { whyNotDecide } from '@/lib/domain/permissions'
import type { ActionView } from '@/lib/operations/answer'
import { serviceOperation } from '@/lib/operations/service-operations'
import { isOpen } from './outcome'
import { OutcomePanel } from './outcome-panel'

type LiveActionProps = { action: ActionView; onSettled: (action: ActionView) => void }

/**
 * An action whose outcome is not known yet, also after the page was reloaded. It is looked at every two seconds; "Check again" asks the
 * service now, by the same bytes under the same key, which is the only way that cannot make a second effect.
 */
export function LiveAction({ action, onSettled }: LiveActionProps) {
  const context = usePageContext()
  const now = useNow()
  const watched = action.state !== 'needs_human'
  const query = useQuery({ ...readAction(context, action.id), refetchInterval: 2000, enabled: watched, staleTime: 0 })
  const check = useMutation({ mutationFn: () => checkAction(action, action.id) })
  const checked = check.data?.action ?? (check.error ? asCallError(check.error).action : undefined)
  const [decided, setDecided] = useState<ActionView>()
  const current = decided ?? settledOf(checked) ?? query.data?.action ?? query.error?.action ?? action

  const settle = useEffectEvent(() => onSettled(current))
  const settled = !isOpen(current)
  useEffect(() => {
    if (settled) settle()
  }, [settled])

  const failed = check.error && !checked ? asCallError(check.error) : null
  const who = action.own ? 'You' : action.actor
  return (
    <div className="grid gap-1">
      <OutcomePanel
        outcome={{ operation: action.operation, action: current }}
        actions={
          // What a person has to decide is not asked again: the service would say the same, or could do it a second time.
          current.state === 'needs_human' ? (
            <DecideOutcome action={current} disabledReason={whyNotDecide(context.person.roles, current)} onDecided={setDecided} />
          ) : (
            <>
              <Button loading={check.isPending} onClick={() => check.mutate()}>
                Check again
              </Button>
              <span role="status" className="text-xs">
                {failed ? `The check failed: ${failed.message}` : checkedText(check.isPending, checked)}
              </span>
            </>
          )
        }
      />
      <p className="text-ink-3 text-xs">
        {who} asked to {serviceOperation(action.operation).verbPhrase} {agoText(action.created_at, now)}.
        {current.state === 'needs_human'
          ? ' Until the outcome is decided, no other action on this record is possible.'
          : ' Checking continues in the background. You can leave this page.'}
      </p>
    </div>
  )
}

const settledOf = (action: ActionView | undefined) => (action && !isOpen(action) ? action : undefined)

const checkedText = (pending: boolean, checked: ActionView | undefined) =>
  !pending && checked && isOpen(checked) ? 'Checked: still unknown.' : ''

type DecideOutcomeProps = { action: ActionView; disabledReason: string | null; onDecided: (action: ActionView) => void }

type DecidedOutcome = 'applied' | 'refused'

const words: Readonly<Record<DecidedOutcome, string>> = { applied: 'The action was carried out', refused: 'The action was not carried out' }

type Faults = { outcome?: string; evidence?: string }

/** Sends a decision; gives the action as it is then, or what is to be fixed at which field. */
async function askDecision(
  { id, environment }: ActionView,
  outcome: DecidedOutcome | '',
  evidence: string,
): Promise<Faults & { decided?: ActionView }> {
  if (outcome === '') return { outcome: 'choose what happened' }
  try {
    const answer = await call('actions.decide', { id, outcome, evidence }, { environment })
    return { decided: answer.action }
  } catch (cause) {
    const error = asCallError(cause)
    const named = error.items.find((item) => item.reference === 'evidence' || item.reference === 'outcome')
    return { [named?.reference ?? 'evidence']: named?.detail ?? error.message }
  }
}

/**
 * The word of a person on an action nobody can confirm any more, with what proves it. Nothing is sent to the service; the evidence stays with
 * the action.
 */
function DecideOutcome({ disabledReason, ...props }: DecideOutcomeProps) {
  if (disabledReason === null) return <DecisionForm {...props} />
  return (
    <div className="grid w-full gap-2">
      <p>{disabledReason}</p>
      <div>
        <Button disabledReason={disabledReason}>Decide</Button>
      </div>
    </div>
  )
}

function DecisionForm({ action, onDecided }: Omit<DecideOutcomeProps, 'disabledReason'>) {
  const [outcome, setOutcome] = useState<DecidedOutcome | ''>('')
  const [evidence, setEvidence] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const decide = async () => {
    setBusy(true)
    const { decided, ...wrong } = await askDecision(action, outcome, evidence)
    setBusy(false)
    setFaults(wrong)
    if (decided) onDecided(decided)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void decide()
  }
  return (
    <form noValidate onSubmit={submit} className="grid w-full gap-2">
      <p>
        Check the current record and ask the provider, using the attempt IDs. Decide only on what you saw or received in writing. Your
        decision sends nothing and ends the automatic checks.
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(10rem,1fr)_3fr]">
        <Field label="What happened" error={faults.outcome}>
          {(control) => (
            <Select {...control} value={outcome} onChange={(event) => setOutcome(event.target.value as DecidedOutcome | '')}>
              <option value="">Choose…</option>
              {Object.entries(words).map(([word, text]) => (
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
          error={faults.evidence}
        >
          {(control) => (
            <Textarea {...control} rows={2} maxLength={500} value={evidence} onChange={(event) => setEvidence(event.target.value)} />
          )}
        </Field>
      </div>
      <div>
        <Button type="submit" variant="primary" loading={busy}>
          Decide
        </Button>
      </div>
    </form>
  )
}
