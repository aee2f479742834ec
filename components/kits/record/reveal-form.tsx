'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { ReasonFields, type ReasonValues } from '@/components/kits/action/reason-fields'
import { useWarnings, WarningTicks } from '@/components/kits/action/warning-ticks'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { asCallError, type CallError } from '@/lib/client/call-error'
import { dropDraft, keepDraft, readDraft } from '@/lib/client/drafts'
import { readSensitive, type SensitiveId } from '@/lib/client/read-sensitive'
import { composeReason } from '@/lib/domain/decision-reasons'
import { revealReasons } from '@/lib/domain/reveal-reasons'
import { reason as reasonSchema } from '@/lib/operations/reason.schema'
import type { Input, Output } from '@/lib/operations/registry'

type RevealFormProps<K extends SensitiveId> = {
  operation: K
  id: string
  account: string | null
  what: string
  names?: readonly (string | undefined)[]
  /** `left`: how many reveals the person has left within this hour, where that was told. */
  onShown: (values: Output<K>, left: number | undefined) => void
  onBack: () => void
}

/** What went wrong and when it did, as milliseconds. */
type Failed = { error: CallError; at: number }

const empty: ReasonValues = { code: '', text: '', typed: '' }

/** Asks why, reads, and hands the values over. What was typed outlasts an error and a closed form; what was read is kept nowhere here. */
export function RevealForm<K extends SensitiveId>({ operation, id, account, what, names = [], onShown, onBack }: RevealFormProps<K>) {
  const { environment } = useDesk()
  const draft = `${operation}/${id}`
  const form = useForm<ReasonValues>({ defaultValues: readDraft<ReasonValues>(draft) ?? empty })
  const typed = useWatch({ control: form.control })
  const [failed, setFailed] = useState<Failed | null>(null)
  const warnings = useWarnings(typed.text ?? '', names, [])
  const sheet = useRef<HTMLFormElement>(null)
  useEffect(() => sheet.current?.querySelector<HTMLElement>('select')?.focus({ preventScroll: true }), [])
  useEffect(() => keepDraft(draft, typed), [draft, typed])

  const send = form.handleSubmit(async (values) => {
    if (!checkReason(form, values) || !warnings.allTicked()) return
    setFailed(null)
    try {
      const answer = await readSensitive({ environment, account }, operation, { id } as Input<K>, composeReason(values.code, values.text))
      dropDraft(draft)
      onShown(answer.data, answer.meta.reveals_left)
    } catch (cause) {
      setFailed({ error: asCallError(cause), at: Date.now() })
    }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !form.formState.isSubmitting) onBack()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!form.formState.isSubmitting) void send()
  }
  return (
    <form
      ref={sheet}
      noValidate
      aria-label={`Reveal ${what}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      className="grid gap-3 rounded border border-line bg-bg p-3"
    >
      <p className="text-ink-2 text-sm">
        Reveal {what} for a minute. Who, when and why goes on record; thirty reveals an hour are the most anybody gets.
      </p>
      <ReasonFields reasons={revealReasons} form={form} where="kept" />
      <WarningTicks warnings={warnings} />
      {failed && <NotRevealed {...failed} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={form.formState.isSubmitting} onClick={() => void send()}>
          Reveal
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}

/** A refusal says when it is worth another try, where that is known. */
function NotRevealed({ error, at }: Failed) {
  const again = error.retryAfter === undefined ? null : new Date(at + error.retryAfter * 1000).toISOString()
  return (
    <ErrorNotice
      urgent
      what="Nothing was revealed"
      error={error.toWire()}
      requestId={error.requestId}
      actions={
        again && (
          <p className="text-xs">
            It can be tried again: <RelativeTime at={again} />.
          </p>
        )
      }
    />
  )
}

/** Puts what the reason lacks at its fields; true where it lacks nothing. */
function checkReason(form: UseFormReturn<ReasonValues>, { code, text }: ReasonValues): boolean {
  if (code === '') form.setError('code', { message: 'choose a reason' })
  const parsed = reasonSchema.safeParse(composeReason(code || 'NONE', text))
  if (parsed.error) form.setError('text', { message: parsed.error.issues[0]?.message ?? 'say why' })
  return code !== '' && parsed.success
}
