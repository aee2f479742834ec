'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import * as z from 'zod'
import { type ReasonValues, useWarnings } from '@/components/kits/action/reason-fields'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ActionForm } from '@/components/kits/form/action-form'
import { useDraftForm } from '@/components/kits/form/use-draft-form'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { type CallError, toCallError } from '@/lib/client/call-error'
import { type OperationRequest, useOperation } from '@/lib/client/query/writes'
import { composeReason, revealReasons } from '@/lib/domain/reasons'
import { decisionReasonInput as reasonSchema } from '@/lib/operations/reason.schema'
import type { Output } from '@/lib/operations/registry'
import type { SensitiveOperationId } from '@/lib/operations/service-operations'

type RevealFormProps<K extends SensitiveOperationId> = {
  operation: K
  id: string
  account: string | null
  what: string
  names?: readonly (string | undefined)[]
  /** `left`: reveals the person has left in this hour; undefined if the response omits it. */
  onShown: (values: Output<K>, left: number | undefined) => void
  onBack: () => void
}

/** An error and when it occurred, in milliseconds. */
type RevealFailure = { error: CallError; at: number }

const revealFormSchema = z.custom<ReasonValues>().superRefine(({ code, text }, context) => {
  if (code === '') context.addIssue({ code: 'custom', path: ['code'], message: 'Choose a reason.' })
  const fault = reasonSchema.safeParse(composeReason(code || 'NONE', text)).error?.issues[0]
  if (fault) context.addIssue({ code: 'custom', path: ['text'], message: fault.message })
})

const emptyValues: ReasonValues = { code: '', text: '', typed: '' }

/** The entries are kept as a draft, the revealed values are not. */
export function RevealForm<K extends SensitiveOperationId>({
  operation,
  id,
  account,
  what,
  names = [],
  onShown,
  onBack,
}: RevealFormProps<K>) {
  const { environment } = usePageContext()
  const { form, typed, drop } = useDraftForm<ReasonValues>(`${operation}/${id}`, {
    values: emptyValues,
    resolver: zodResolver(revealFormSchema),
  })
  const [failed, setFailed] = useState<RevealFailure | null>(null)
  const warnings = useWarnings(typed.text, names, [])
  // A reveal only reads, but is sent as a mutation, because the query cache must not contain
  // revealed values.
  const revealMutation = useOperation<K>({ environment, account })

  const submitReveal = form.handleSubmit(async (values) => {
    if (!warnings.allTicked()) return
    setFailed(null)
    try {
      const revealRequest = {
        operation,
        input: { id },
        reason: composeReason(values.code, values.text),
      } as OperationRequest<K>
      const revealAnswer = await revealMutation.mutateAsync(revealRequest)
      drop()
      onShown(revealAnswer.data, revealAnswer.meta.reveals_left)
    } catch (cause) {
      setFailed({ error: toCallError(cause), at: Date.now() })
    }
  })
  return (
    <ActionForm
      layout="panel"
      label={`Reveal ${what}`}
      className="rounded border border-line bg-bg p-3"
      onSend={submitReveal}
      send="Reveal"
      does="reveals"
      pending={form.formState.isSubmitting}
      disabledReason={null}
      onBack={onBack}
      reason={{ reasons: revealReasons, form, where: 'kept' }}
      warnings={warnings}
      outcome={failed && <RevealErrorNotice {...failed} />}
    >
      <p className="text-ink-2 text-sm">
        Reveal {what} for one minute. Who, when and why is recorded. At most 30 reveals per person
        and hour.
      </p>
    </ActionForm>
  )
}

function RevealErrorNotice({ error, at }: RevealFailure) {
  const retryAt =
    error.retryAfter === undefined ? null : new Date(at + error.retryAfter * 1000).toISOString()
  return (
    <ErrorNotice
      urgent
      what="Nothing was revealed"
      error={error.toWire()}
      requestId={error.requestId}
      actions={
        retryAt && (
          <p className="text-xs">
            Try again: <RelativeTime at={retryAt} />.
          </p>
        )
      }
    />
  )
}
