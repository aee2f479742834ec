import type { ReactNode } from 'react'
import { IfUnreadable, ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { cn } from '@/components/ui/cn'
import { StatusBadge } from '@/components/ui/tone'
import { getStatusWords } from '@/lib/domain/status'

type PanelProps = { title: ReactNode; aside?: ReactNode; className?: string; children: ReactNode }

export const Panel = ({ title, aside, className, children }: PanelProps) => (
  <section className={cn('min-w-0 rounded border border-line bg-surface', className)}>
    <div className="flex min-h-9 items-center justify-between gap-3 border-line border-b px-3 py-1.5">
      <h2 className="font-semibold text-sm">{title}</h2>
      {aside}
    </div>
    <div className="p-3">{children}</div>
  </section>
)

export const FactList = ({ children, className }: { children: ReactNode; className?: string }) => (
  <dl
    className={cn(
      'grid grid-cols-[min(9.5rem,40%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm',
      className,
    )}
  >
    {children}
  </dl>
)

const unknownText = <span className="text-ink-3">unknown</span>

type FactProps = {
  name: ReactNode
  /** The field's name at the service. If it could not be read, the value is "not readable". */
  field?: string
  children?: ReactNode
}

export const Fact = ({ name, field, children }: FactProps) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words text-ink">
      {field ? (
        <ReadableRecordField field={field}>{children || unknownText}</ReadableRecordField>
      ) : (
        children || unknownText
      )}
    </dd>
  </>
)

/** Shown only if the field could not be read, for fields that have no line of their own. */
export const UnreadableFact = ({ name, field }: { name: string; field: string }) => (
  <IfUnreadable field={field}>
    <Fact name={name} field={field}>
      in part
    </Fact>
  </IfUnreadable>
)

export function RecordStatusBadge({
  kind,
  status,
}: {
  kind: Parameters<typeof getStatusWords>[0]
  status: string
}) {
  const statusLabel = getStatusWords(kind, status)
  return <StatusBadge tone={statusLabel.tone}>{statusLabel.label}</StatusBadge>
}
