import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlClasses } from './input'

export const Textarea = ({ className, rows = 3, ...props }: ComponentProps<'textarea'>) => (
  <textarea {...props} rows={rows} className={cn(controlClasses, 'block resize-y px-2.5 py-1.5', className)} />
)
