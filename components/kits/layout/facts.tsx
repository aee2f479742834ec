import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/** Names and values in two columns. A value nobody sent is shown as unknown rather than left out. */
export const Facts = ({ children, className }: { children: ReactNode; className?: string }) => (
  <dl className={cn('grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm', className)}>{children}</dl>
)

export const Fact = ({ name, children }: { name: ReactNode; children?: ReactNode }) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words text-ink">{children || <span className="text-ink-3">unknown</span>}</dd>
  </>
)
