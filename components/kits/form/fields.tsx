'use client'

import type { ComponentProps, ReactNode } from 'react'
import {
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { Checkbox, Field, Select } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { moneyText } from '@/lib/money'
import { FieldSection } from './field-section'

type FieldProps<V extends FieldValues> = {
  form: UseFormReturn<V>
  name: Path<V>
  label: ReactNode
  hint?: ReactNode
  className?: string
}

/** `name` contains dots for a nested field. */
export function getFieldError<V extends FieldValues>(
  form: UseFormReturn<V>,
  name: Path<V>,
): string | undefined {
  const error: unknown = get(form.formState.errors, name)
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : undefined
}

type TextInputProps = Pick<
  ComponentProps<'input'>,
  | 'type'
  | 'inputMode'
  | 'maxLength'
  | 'placeholder'
  | 'autoComplete'
  | 'spellCheck'
  | 'list'
  | 'readOnly'
  | 'max'
>

/** A single-line text field. Browser autofill is off because the values belong to other people. */
export const TextField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  ...input
}: FieldProps<V> & TextInputProps) => (
  <Field label={label} hint={hint} error={getFieldError(form, name)} className={className}>
    {(control) => <Input autoComplete="off" {...input} {...control} {...form.register(name)} />}
  </Field>
)

type NormalizedFieldProps<V extends FieldValues> = ComponentProps<typeof TextField<V>> & {
  /** The function with which the form's `toInput` converts the typed text. */
  normalize: (typed: string) => string
}

/** Shows the value that will be sent, if it differs from the typed text. */
export function NormalizedField<V extends FieldValues>({
  normalize,
  ...field
}: NormalizedFieldProps<V>) {
  const typed = String(useWatch({ control: field.form.control, name: field.name }) ?? '')
  const sent = normalize(typed)
  return <TextField {...field} hint={sent === typed.trim() ? field.hint : `Sent as ${sent}`} />
}

export const TextAreaField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  ...area
}: FieldProps<V> & { rows?: number; maxLength?: number }) => (
  <Field label={label} hint={hint} error={getFieldError(form, name)} className={className}>
    {(control) => <Textarea rows={3} {...area} {...control} {...form.register(name)} />}
  </Field>
)

type SelectProps = {
  /** API values and their labels, in display order. */
  choices: Readonly<Record<string, string>>
  /** Label of the empty option. Undefined if the field always has a value. */
  none?: string
}

export const SelectField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  choices,
  none,
}: FieldProps<V> & SelectProps) => (
  <Field label={label} hint={hint} error={getFieldError(form, name)} className={className}>
    {(control) => (
      <Select {...control} {...form.register(name)}>
        {none !== undefined && <option value="">{none}</option>}
        {Object.entries(choices).map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

/** The date is not converted between time zones. */
export const DateField = <V extends FieldValues>(
  props: FieldProps<V> & Pick<TextInputProps, 'max'>,
) => <TextField {...props} type="date" />

/**
 * Keeps the typed text, such as `1,250.00`. The hint shows the parsed amount, because an amount
 * that is wrong by a factor of 100 is the worst mistake in this form.
 */
export const AmountField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  cents,
}: FieldProps<V> & {
  /** The typed amount in cents; null if it is not an amount. */
  cents: number | null
}) => (
  <TextField
    form={form}
    name={name}
    label={label}
    className={className}
    inputMode="decimal"
    placeholder="0.00"
    hint={
      <>
        {cents === null ? '' : moneyText(cents)} {hint}
      </>
    }
  />
)

export const CheckboxField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
}: FieldProps<V>) => (
  <div className={className}>
    <Checkbox label={label} {...form.register(name)} />
    {hint && <p className="pl-6 text-ink-3 text-xs">{hint}</p>}
    {getFieldError(form, name) && (
      <p className="pl-6 font-medium text-bad text-xs">{getFieldError(form, name)}</p>
    )}
  </div>
)

/** Sets a field as if it had been typed: it is validated and stored with the draft. */
export const setFieldValue = <V extends FieldValues>(
  form: UseFormReturn<V>,
  name: Path<V>,
  value: PathValue<V, Path<V>>,
) => form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })

export const FieldGroup = ({
  title,
  note,
  children,
}: ComponentProps<typeof FieldSection> & { note?: ReactNode }) => (
  <FieldSection title={title}>
    {note && <p className="text-ink-3 text-xs">{note}</p>}
    <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
  </FieldSection>
)
