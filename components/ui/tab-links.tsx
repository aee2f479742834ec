import type { ReactNode } from 'react'
import { cn } from './cn'

/** Give each link `getTabLinkClasses(current)`, and the current one `aria-current="page"`. */
export const TabLinks = ({
  label,
  children,
  className,
}: {
  label: string
  children: ReactNode
  className?: string
}) => (
  <nav
    aria-label={label}
    className={cn('flex items-stretch gap-4 overflow-x-auto border-line border-b', className)}
  >
    {children}
  </nav>
)

export const getTabLinkClasses = (current: boolean) =>
  cn(
    '-mb-px inline-flex h-9 shrink-0 pointer-coarse:h-11 items-center gap-1.5 border-b-2 text-sm outline-offset-[-2px] transition-tint',
    current
      ? 'border-accent font-semibold text-ink'
      : 'border-transparent text-ink-2 hover:border-line hover:text-ink',
  )

export const TabCount = ({ children }: { children: string }) => (
  <span className="rounded-full bg-ink/6 px-1.5 font-normal text-2xs text-ink-2 tabular-nums">
    {children}
  </span>
)
