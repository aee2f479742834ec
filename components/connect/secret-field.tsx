'use client'

import { useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { errorOf } from '@/components/kits/form/fields'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type SecretFieldProps<V extends FieldValues> = {
  form: UseFormReturn<V>
  name: Path<V>
  label: string
  hint?: string
  inputMode?: 'numeric' | 'text'
  maxLength?: number
}

/**
 * A number or token that shoulders behind should not read: dots until "Show". It is no password field, because a browser would offer to keep what
 * is typed into one.
 */
export function SecretField<V extends FieldValues>({ form, name, label, hint, inputMode, maxLength }: SecretFieldProps<V>) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={errorOf(form, name)}>
      {(control) => (
        <span className="flex gap-1">
          <Input
            {...control}
            {...form.register(name)}
            inputMode={inputMode}
            maxLength={maxLength}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            className={cn('font-mono', !shown && '[-webkit-text-security:disc]')}
          />
          <Button variant="quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
            Show<span className="sr-only"> the {label.toLowerCase()}</span>
          </Button>
        </span>
      )}
    </Field>
  )
}
