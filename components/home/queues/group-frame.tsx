import type { ReactNode } from 'react'

/** The frame of one queue: its heading, what belongs to it at the end of the line, its rows. */
export const GroupFrame = ({
  id,
  title,
  count,
  aside,
  children,
}: {
  id: string
  title: string
  count?: ReactNode
  aside?: ReactNode
  children: ReactNode
}) => (
  <section aria-labelledby={`queue-${id}`} className="min-w-0 rounded border border-line bg-surface">
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 border-line border-b px-3 py-1">
      <h3 id={`queue-${id}`} className="font-semibold text-sm">
        {title}
      </h3>
      {count}
      <div className="ml-auto flex items-center gap-3">{aside}</div>
    </div>
    {children}
  </section>
)
