import { ExternalText } from '@/components/kits/layout/outside-text'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { StatusBadge } from '@/components/ui/tone'
import type { UnreadableField, UnreadableRow } from '@/lib/operations/answer'

type UnreadableValueProps = {
  raw: string
  /** Distinguishes the value for screen readers, in a list of unreadable values. */
  of?: string
}

/**
 * The placeholder of an unreadable value. A click expands the raw value, masked by the server. Not
 * for use in headings and sentences.
 */
export const UnreadableValue = ({ raw, of }: UnreadableValueProps) => (
  <details className="inline-block max-w-full align-top">
    <summary className="text-ink-2 underline decoration-dotted underline-offset-2 hover:text-ink">
      Not readable
      <span className="sr-only">{of ? ` (${of})` : ''}: show what the service sent</span>
    </summary>
    <RawValueText>{raw}</RawValueText>
  </details>
)

const RawValueText = ({ children }: { children: string }) => (
  <code className="mt-1 block whitespace-pre-wrap break-all rounded-sm bg-sunken px-2 py-1 font-mono text-ink-2 text-xs">
    <ExternalText>{children}</ExternalText>
  </code>
)

export function UnreadableFieldList({ parts }: { parts: readonly UnreadableField[] }) {
  return (
    <details className="rounded border border-held/40 border-dashed bg-surface px-3 py-1.5 text-sm">
      <summary className="text-ink-2 hover:text-ink">
        <span className="font-medium text-ink">
          {parts.length === 1
            ? '1 field could not be read'
            : `${parts.length} fields could not be read`}
        </span>
        :{' '}
        <span className="break-words font-mono text-xs">
          {[...new Set(parts.map(({ field }) => field))].join(', ')}
        </span>
      </summary>
      <dl className="grid gap-1 pt-1 pb-1.5">
        {parts.map(({ field, raw }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a map may have names that begin alike.
          <div key={at} className="grid gap-x-3 sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
            <dt className="break-all pt-1 font-mono text-ink-3 text-xs">{field}</dt>
            <dd className="min-w-0">
              <RawValueText>{raw}</RawValueText>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** `one` is the singular noun of a row, for example "payout". */
export type UnreadableRowListProps = {
  rows: readonly UnreadableRow[]
  one: string
  className?: string
}

export function UnreadableRowList({ rows, one, className }: UnreadableRowListProps) {
  return (
    <ul aria-label="Rows that could not be read" className="grid text-sm">
      {rows.map(({ id, raw }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: rows may have no id, and keep the order in which they came.
          key={at}
          className={cn(
            'flex min-h-row flex-wrap items-start gap-x-3 gap-y-1 border-line border-b py-1',
            className,
          )}
        >
          <StatusBadge tone="unknown" className="mt-0.5">
            Not readable
          </StatusBadge>
          <span className="flex min-h-6 items-center text-ink-2">
            {id === null ? (
              <span className="text-ink-3">no ID</span>
            ) : (
              <ShortId id={id} what={`${one} ID`} />
            )}
          </span>
          <details className="min-w-0 flex-1 basis-40">
            <summary className="text-ink-3 text-xs hover:text-ink hover:underline">
              Show what the service sent
              <span className="sr-only">{id === null ? '' : ` for ${id}`}</span>
            </summary>
            <RawValueText>{raw}</RawValueText>
          </details>
        </li>
      ))}
    </ul>
  )
}
