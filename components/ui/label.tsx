import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A label on its own; most controls get theirs from `Field`. */
export const Label = ({ className, htmlFor, children, ...props }: ComponentProps<'label'> & { htmlFor: string }) => (
  <label {...props} htmlFor={htmlFor} className={cn('font-medium text-ink text-sm', className)}>
    {children}
  </label>
)
