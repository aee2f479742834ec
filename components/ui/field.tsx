import { ChevronDown } from 'lucide'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'
import { controlClasses } from './input'
import { LineIcon } from './line-icon'

/** A native select. It supports keyboard, touch and forced colors without script. */
export const Select = ({ className, ...props }: ComponentProps<'select'>) => (
  <span className={cn('relative block', className)}>
    <select {...props} className={cn(controlClasses, 'h-control appearance-none pr-7 pl-2.5')} />
    <LineIcon
      shapes={ChevronDown}
      className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-ink-3"
    />
  </span>
)

export function Checkbox({
  label,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const generatedId = useId()
  const id = props.id ?? generatedId
  return (
    <span className={cn('flex min-h-control items-start gap-2 py-1.5', className)}>
      <input {...props} id={id} type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" />
      <label htmlFor={id} className="text-ink text-sm">
        {label}
      </label>
    </span>
  )
}

export type FieldControl = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  className?: string
  children: (control: FieldControl) => ReactNode
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ')
  return (
    <div className={cn('grid gap-1', className)}>
      <label htmlFor={id} className="w-fit font-medium text-ink text-sm">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
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
