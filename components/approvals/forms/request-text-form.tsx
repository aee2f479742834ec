'use client'

import { useState } from 'react'
import { CtrlEnterForm } from '@/components/kits/form/action-form'
import { Button, type ButtonProps } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { requestTextBounds } from '@/lib/operations/policies'

type RequestTextFormProps = {
  label: string
  submit: string
  variant?: ButtonProps['variant']
  busy: boolean
  onSend: (text: string) => void
  /** Closes the form. If undefined, the form stays open and does not take the focus. */
  onBack?: () => void
}

/** A short text about a request: a reason, a question or an answer. */
export function RequestTextForm({
  label,
  submit,
  variant = 'primary',
  busy,
  onSend,
  onBack,
}: RequestTextFormProps) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const { min, max } = requestTextBounds
  const send = () => {
    const isTooShort = text.trim().length < min
    setFault(isTooShort ? `Explain in at least ${min} characters.` : undefined)
    if (!isTooShort && !busy) onSend(text.trim())
  }
  return (
    <CtrlEnterForm onSend={send} className="grid gap-2">
      <Field
        label={label}
        hint={`${min} to ${max} characters. No names, no account numbers.`}
        error={fault}
      >
        {(control) => (
          <Textarea
            {...control}
            autoFocus={onBack !== undefined}
            rows={2}
            maxLength={max}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onBack?.()}
          />
        )}
      </Field>
      <div className="flex items-center gap-2">
        <Button variant={variant} loading={busy} onClick={send}>
          {submit}
        </Button>
        {onBack && <Button onClick={onBack}>Back</Button>}
        <span className="text-ink-3 text-xs max-sm:hidden">Ctrl+Enter sends</span>
      </div>
    </CtrlEnterForm>
  )
}
