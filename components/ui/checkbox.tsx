import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'

/** A tick box with its label; the whole line is the target. */
export function Checkbox({ label, className, ...props }: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const made = useId()
  const id = props.id ?? made
  return (
    <span className={cn('flex min-h-control items-start gap-2 py-1.5', className)}>
      <input {...props} id={id} type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" />
      <label htmlFor={id} className="text-ink text-sm">
        {label}
      </label>
    </span>
  )
}
