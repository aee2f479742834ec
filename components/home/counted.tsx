import type { ReactNode } from 'react'

/** How figures are counted, folded away; what was cut off is never folded away. */
export const Counted = ({ cut, counted, children }: { cut: boolean; counted: number; children: ReactNode }) => (
  <div className="grid gap-1">
    {cut && (
      <p className="font-medium text-held">
        Of the newest {counted.toLocaleString('en-US')} payments only: there are more than are read here.
      </p>
    )}
    <details>
      <summary className="min-h-6 w-fit rounded-sm leading-6 hover:text-ink">How this is counted</summary>
      <div className="grid gap-1 pt-1">{children}</div>
    </details>
  </div>
)
