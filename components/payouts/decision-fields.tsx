'use client'

import type { UseFormReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { type Decision, decisionReasons } from '@/lib/domain/decision-reasons'

export type DecisionValues = { code: string; text: string }

type DecisionFieldsProps = {
  decision: Decision
  form: UseFormReturn<DecisionValues, unknown, { id: string; reason: string }>
  reasonError: string | undefined
}

/** Reason code and sentence. Choosing a code writes its template, but never over something a person wrote. */
export function DecisionFields({ decision, form, reasonError }: DecisionFieldsProps) {
  const reasons = decisionReasons[decision]
  const fillTemplate = (code: string) => {
    const typed = form.getValues('text').trim()
    const untouched = typed === '' || reasons.some((reason) => reason.template === typed)
    const template = reasons.find((reason) => reason.code === code)?.template
    if (untouched && template !== undefined) form.setValue('text', template, { shouldDirty: true })
  }
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[minmax(11rem,2fr)_3fr]">
      <Field label="Reason" error={form.formState.errors.code?.message}>
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
      <Field
        label="In a sentence"
        hint="Kept by the payments service for good: no names, no contact data, no account numbers."
        error={form.formState.errors.text?.message ?? reasonError}
      >
        {(control) => <Textarea {...control} rows={2} maxLength={300} {...form.register('text')} />}
      </Field>
    </div>
  )
}
