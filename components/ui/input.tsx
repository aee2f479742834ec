import type { ComponentProps } from 'react'
import { cn } from './cn'

export const controlClasses =
  'w-full min-w-0 rounded-sm border border-control bg-surface text-ink text-sm transition-tint pointer-coarse:text-lg hover:border-ink-3 disabled:opacity-60 aria-invalid:border-danger aria-invalid:outline-danger'

export const Input = ({ className, type = 'text', ...props }: ComponentProps<'input'>) => (
  <input {...props} type={type} className={cn(controlClasses, 'h-control px-2.5', className)} />
)

export const Textarea = ({ className, rows = 3, ...props }: ComponentProps<'textarea'>) => (
  <textarea
    {...props}
    rows={rows}
    className={cn(controlClasses, 'block resize-y px-2.5 py-1.5', className)}
  />
)
