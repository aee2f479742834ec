import type { ReactNode } from 'react'

/** Only one line high, to leave more room for the list below it. */
export const PageHeader = ({
  title,
  meta,
  actions,
}: {
  title: ReactNode
  meta?: ReactNode
  actions?: ReactNode
}) => (
  <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
    <h1 className="min-w-0 wrap-anywhere font-semibold text-xl">{title}</h1>
    {meta && <div className="text-ink-3 text-xs">{meta}</div>}
    {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
  </header>
)
