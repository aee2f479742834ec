'use client'

import type { UseFormReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { DecisionReason } from '@/lib/domain/decision-reasons'

/** A reason as it is typed: a code that is chosen and a sentence. */
export type ReasonTyped = { code: string; text: string }

/** What a confirm sheet asks besides the operation's own fields. */
export type ReasonValues = ReasonTyped & { typed: string }

const hints = {
  sent: 'Kept by the payments service for good: no names, no contact data, no account numbers.',
  kept: 'The service takes no reason: yours stays in Paydesk’s record of this action. No names, no account numbers.',
}

type ReasonFieldsProps = {
  reasons: readonly DecisionReason[]
  form: UseFormReturn<ReasonValues>
  where: keyof typeof hints
}

/** Reason code and sentence. Choosing a code writes its template, but never over something a person wrote. */
export function ReasonFields({ reasons, form, where }: ReasonFieldsProps) {
  const { errors } = form.formState
  const fillTemplate = (code: string) => {
    const typed = form.getValues('text').trim()
    const untouched = typed === '' || reasons.some((reason) => reason.template === typed)
    const template = reasons.find((reason) => reason.code === code)?.template
    if (untouched && template !== undefined) form.setValue('text', template, { shouldDirty: true })
  }
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[minmax(11rem,2fr)_3fr]">
      <Field label="Reason" error={errors.code?.message}>
        {(control) => (
          <Select {...control} {...form.register('code', { onChange: (event) => fillTemplate(event.target.value) })}>
            <option value="">Choose…</option>
            {reasons.map((reason) => (
              <option key={reason.code} value={reason.code}>
                {reason.label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="In a sentence" hint={hints[where]} error={errors.text?.message}>
        {(control) => <Textarea {...control} rows={2} maxLength={300} {...form.register('text')} />}
      </Field>
    </div>
  )
}
