import type { ReactNode } from 'react'

type FieldSectionProps = { title: ReactNode; children: ReactNode }

/** A group of fields with the head of a `Panel`. */
export const FieldSection = ({ title, children }: FieldSectionProps) => (
  <fieldset className="min-w-0 rounded border border-line bg-surface">
    {/* A legend is inside its border only if it floats. */}
    <legend className="float-left flex min-h-9 w-full items-center border-line border-b px-3 py-1.5 font-semibold text-sm">
      {title}
    </legend>
    <div className="clear-both grid gap-3 p-3">{children}</div>
  </fieldset>
)
