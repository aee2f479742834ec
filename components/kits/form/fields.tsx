'use client'

import type { ComponentProps, ReactNode } from 'react'
import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { cn } from '@/components/ui/cn'
import { Checkbox, Field, Select } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'

type FieldProps<V extends FieldValues> = {
  form: UseFormReturn<V>
  name: Path<V>
  label: ReactNode
  hint?: ReactNode
  className?: string
}

/** What is wrong with a field, from our schema or from the service; nested names are written with dots. */
export function errorOf<V extends FieldValues>(form: UseFormReturn<V>, name: Path<V>): string | undefined {
  const error: unknown = get(form.formState.errors, name)
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined
}

type TextProps = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'maxLength' | 'placeholder' | 'autoComplete' | 'spellCheck' | 'list' | 'readOnly' | 'max'
>

/** A line of text. Nothing here is remembered by the browser: what is typed is somebody else's. */
export const TextField = <V extends FieldValues>({ form, name, label, hint, className, ...input }: FieldProps<V> & TextProps) => (
  <Field label={label} hint={hint} error={errorOf(form, name)} className={className}>
    {(control) => <Input autoComplete="off" {...input} {...control} {...form.register(name)} />}
  </Field>
)

/** Several lines of text, with a count where there is a bound. */
export const AreaField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  ...area
}: FieldProps<V> & { rows?: number; maxLength?: number }) => (
  <Field label={label} hint={hint} error={errorOf(form, name)} className={className}>
    {(control) => <Textarea rows={3} {...area} {...control} {...form.register(name)} />}
  </Field>
)

type SelectProps = {
  /** Word on the wire and what people read, in order. */
  choices: Readonly<Record<string, string>>
  /** The line for "nothing chosen"; left out where something always is. */
  none?: string
}

/** One of a few. */
export const SelectField = <V extends FieldValues>({ form, name, label, hint, className, choices, none }: FieldProps<V> & SelectProps) => (
  <Field label={label} hint={hint} error={errorOf(form, name)} className={className}>
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

/** A day without a time; it is never shifted. */
export const DateField = <V extends FieldValues>(props: FieldProps<V> & Pick<TextProps, 'max'>) => <TextField {...props} type="date" />

/**
 * An amount, typed in units like `1,250.00` and kept as typed; `centsOf` of `lib/money` reads it when the input is made, and the cents that
 * will be sent are below, because a factor of a hundred is the worst mistake this form could make.
 */
export const AmountField = <V extends FieldValues>({
  form,
  name,
  label,
  hint,
  className,
  cents,
}: FieldProps<V> & { /** What is typed now, in cents; null where it is no amount. */ cents: number | null }) => (
  <TextField
    form={form}
    name={name}
    label={label}
    className={className}
    inputMode="decimal"
    placeholder="0.00"
    hint={
      <>
        {cents === null ? '' : `sent as ${cents} cents`} {hint}
      </>
    }
  />
)

/** A tick; the whole line is the target. */
export const TickField = <V extends FieldValues>({ form, name, label, hint, className }: FieldProps<V>) => (
  <div className={className}>
    <Checkbox label={label} {...form.register(name)} />
    {hint && <p className="pl-6 text-ink-3 text-xs">{hint}</p>}
    {errorOf(form, name) && <p className="pl-6 font-medium text-bad text-xs">{errorOf(form, name)}</p>}
  </div>
)

/** Writes a field as if it had been typed: it is checked and kept with the draft. */
export const setField = <V extends FieldValues>(form: UseFormReturn<V>, name: Path<V>, value: PathValue<V, Path<V>>) =>
  form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })

/** Fields that belong together, side by side where there is room. */
export const FieldGroup = ({
  title,
  note,
  children,
  className,
}: {
  title: string
  note?: ReactNode
  children: ReactNode
  className?: string
}) => (
  <fieldset className={cn('grid min-w-0 gap-3 rounded border border-line bg-surface p-3', className)}>
    <legend className="float-left mb-2 w-full font-semibold text-sm">{title}</legend>
    {note && <p className="clear-both text-ink-3 text-xs">{note}</p>}
    <div className="clear-both grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
  </fieldset>
)
