'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { asCallError } from '@/lib/client/call-error'
import { request } from '@/lib/client/request'
import type { ActionView } from '@/lib/operations/answer'
import { decisionApiPath } from '@/lib/routes'

type DecideOutcomeProps = { action: ActionView; closed: string | null; onDecided: (action: ActionView) => void }

const words = { applied: 'It was done', refused: 'It was not done' }

type Faults = { outcome?: string; evidence?: string }

/** Sends a decision; gives the action as it is then, or what is to be mended at which field. */
async function askDecision(id: string, outcome: string, evidence: string): Promise<Faults & { decided?: ActionView }> {
  if (outcome === '') return { outcome: 'say whether it was done' }
  try {
    const answer = await request(decisionApiPath(id), { method: 'POST', body: { outcome, evidence } })
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
export function DecideOutcome({ closed, ...props }: DecideOutcomeProps) {
  if (closed === null) return <DecisionForm {...props} />
  return (
    <div className="grid w-full gap-2">
      <p>{closed}</p>
      <div>
        <Button disabledReason={closed}>Decide</Button>
      </div>
    </div>
  )
}

function DecisionForm({ action, onDecided }: Omit<DecideOutcomeProps, 'closed'>) {
  const [outcome, setOutcome] = useState('')
  const [evidence, setEvidence] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const decide = async () => {
    setBusy(true)
    const { decided, ...wrong } = await askDecision(action.id, outcome, evidence)
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
        Look at the object as it is now and ask the provider with the ids of the attempts. Decide only on what you saw or were told in
        writing: nothing is sent by this, and nothing is asked again after it.
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(10rem,1fr)_3fr]">
        <Field label="What happened" error={faults.outcome}>
          {(control) => (
            <Select {...control} value={outcome} onChange={(event) => setOutcome(event.target.value)}>
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
