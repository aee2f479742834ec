import type { ComponentProps } from 'react'
import { cn } from './cn'

/** A key to press. */
export const Kbd = ({ className, ...props }: ComponentProps<'kbd'>) => (
  <kbd
    {...props}
    className={cn(
      'inline-flex h-4 min-w-4 items-center justify-center rounded-[3px] border border-line bg-sunken px-1 font-sans text-2xs text-ink-3',
      className,
    )}
  />
)
