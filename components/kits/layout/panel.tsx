import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/** A block with a heading on the plain surface; borders do the layering. `level` is the heading's place in the page. */
export function Panel({
  title,
  aside,
  level = 2,
  className,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  level?: 2 | 3
  className?: string
  children: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <section className={cn('min-w-0 rounded border border-line bg-surface', className)}>
      <div className="flex min-h-9 items-center justify-between gap-3 border-line border-b px-3 py-1.5">
        <Heading className="font-semibold text-sm">{title}</Heading>
        {aside}
      </div>
      <div className="p-3">{children}</div>
    </section>
  )
}
