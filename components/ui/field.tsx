import { type ReactNode, useId } from 'react'
import { cn } from './cn'

/** What a control inside a `Field` spreads onto itself so that label, hint and error belong to it. */
export type FieldControl = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  className?: string
  children: (control: FieldControl) => ReactNode
}

/** A label above its control, a hint, and the error in place. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={cn('grid gap-1', className)}>
      <label htmlFor={id} className="w-fit font-medium text-ink text-sm">
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-ink-3 text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="font-medium text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}
