'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { asCallError } from '@/lib/client/call-error'
import { useWrite } from '@/lib/client/queries'
import { composeReason, type Decision } from '@/lib/domain/decision-reasons'
import { type Payout, payoutSchemas } from '@/lib/operations/payouts.schema'
import { type DecisionDraft, draftOf, dropDecision, keepDecision, renewKey } from './decision-draft'
import { DecisionFields } from './decision-fields'
import { DecisionSentence } from './decision-sentence'
import { sendLabel } from './decision-words'
import { KeyLine } from './key-line'
import { isDefinite, type Outcome } from './outcome'
import { useWarnings, WarningTicks } from './warning-ticks'

export type DecisionFormProps = {
  decision: Decision
  payout: Payout
  account: string
  snapshot: string | undefined
  correlationId: string
  /** Things about this payout that must be ticked before it is sent. */
  cautions: readonly string[]
  closed: string | null
  onOutcome: (outcome: Outcome | null) => void
  onBack: () => void
}

/** Code and sentence become the operation's own input, which is what gets validated. */
const inputOf = (decision: Decision, id: string) =>
  z
    .object({ code: z.string().min(1, 'choose a reason'), text: z.string() })
    .transform(({ code, text }) => ({ id, reason: composeReason(code, text) }))
    .pipe(payoutSchemas[`payouts.${decision}`].input)

/** The confirm sheet of a decision, inside the panel. Ctrl or Cmd and Enter sends; Enter alone never does. */
export function DecisionForm({
  decision,
  payout,
  account,
  snapshot,
  correlationId,
  cautions,
  closed,
  onOutcome,
  onBack,
}: DecisionFormProps) {
  const desk = useDesk()
  const [draft, setDraft] = useState<DecisionDraft>(() => draftOf(decision, payout.id))
  const form = useForm({ resolver: zodResolver(inputOf(decision, payout.id)), defaultValues: { code: draft.code, text: draft.text } })
  const [code, text] = useWatch({ control: form.control, name: ['code', 'text'] })
  const warnings = useWarnings(text, payout, cautions)
  const write = useWrite({ environment: desk.environment, account }, `payouts.${decision}`)
  const first = useRef<HTMLFormElement>(null)

  useEffect(() => keepDecision(decision, payout.id, { code, text, key: draft.key }), [decision, payout.id, code, text, draft.key])
  useEffect(() => first.current?.querySelector('select')?.focus({ preventScroll: true }), [])

  const send = form.handleSubmit(async (input) => {
    if (closed !== null || write.isPending || !warnings.allTicked()) return
    onOutcome(null)
    const operation = `payouts.${decision}` as const
    try {
      const answer = await write.mutateAsync({ input, idempotencyKey: draft.key, correlationId, snapshot })
      dropDecision(decision, payout.id)
      onOutcome({ operation, action: answer.action, replayed: answer.replayed })
    } catch (cause) {
      const error = asCallError(cause)
      if (isDefinite(error.code)) setDraft(renewKey(decision, payout.id))
      onOutcome({ operation, action: error.action, error: { ...error.toWire(), requestId: error.requestId, local: error.local } })
    }
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !write.isPending) onBack()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send()
  }

  const reasonError = (form.formState.errors as { reason?: { message?: string } }).reason?.message
  return (
    <form ref={first} noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="grid gap-3">
      <DecisionSentence decision={decision} payout={payout} account={account} />
      <DecisionFields decision={decision} form={form} reasonError={reasonError} />
      <WarningTicks warnings={warnings} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          variant={decision === 'cancel' ? 'danger' : 'primary'}
          loading={write.isPending}
          disabledReason={closed}
          onClick={() => void send()}
        >
          {write.isPending ? 'Sending…' : sendLabel(decision, payout, desk.amountUnit)}
        </Button>
        <Button onClick={onBack} variant="quiet">
          Back
        </Button>
        <span className="text-ink-3 text-xs max-sm:hidden">
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> sends
        </span>
        <KeyLine idempotencyKey={draft.key} />
      </div>
      {closed !== null && <p className="text-ink-3 text-xs">Closed: {closed}</p>}
    </form>
  )
}
