import type { ComponentProps } from 'react'
import { cn } from './cn'
import { type Tone, toneClasses } from './tone'

/** A short word on a tint. */
export const Badge = ({ tone = 'neutral', className, ...props }: ComponentProps<'span'> & { tone?: Tone }) => (
  <span
    {...props}
    data-tone={tone}
    className={cn(
      'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-xs',
      toneClasses[tone],
      className,
    )}
  />
)
