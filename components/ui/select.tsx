import type { ComponentProps } from 'react'
import { cn } from './cn'
import { controlClasses } from './input'

/** The platform's own list: it works by keyboard, by finger and in forced colours, and weighs nothing. */
export const Select = ({ className, ...props }: ComponentProps<'select'>) => (
  <span className={cn('relative block', className)}>
    <select {...props} className={cn(controlClasses, 'h-control appearance-none pr-7 pl-2.5')} />
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-ink-3"
    >
      <path d="m4.5 6.5 3.5 3.5 3.5-3.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  </span>
)
