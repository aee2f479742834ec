import type { ReactNode } from 'react'
import { RecordRead, UnreadableParts } from '@/components/kits/unreadable/unreadable-parts'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Loadable } from '@/lib/domain/loadable'
import { unreadableIn } from '@/lib/operations/answer'

type AsyncValueProps<T> = {
  loadable: Loadable<T>
  onAgain: () => void
  /** The usual height of the block, to avoid layout shift. */
  height?: `h-${number}`
  children: (value: T) => ReactNode
}

/** A block with its own query: loading, loaded, or missing with the reason and a retry button. */
export function AsyncValue<T>({ loadable, onAgain, height = 'h-46', children }: AsyncValueProps<T>) {
  if (loadable.state === 'known') return <Known loadable={loadable}>{children}</Known>
  if (loadable.state === 'loading') return <Skeleton className={height} />
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink-2">
      {loadable.why}
      {loadable.why.startsWith('Could not be read') && (
        <Button size="small" onClick={onAgain}>
          Try again
        </Button>
      )}
    </p>
  )
}

type KnownProps<T> = { loadable: Extract<Loadable<T>, { state: 'known' }>; children: (value: T) => ReactNode }

/**
 * The loaded value and its unreadable parts: fields of the object, or rows of the list. A list with only unreadable rows is not shown as
 * empty.
 */
function Known<T>({ loadable: { value, unread = [] }, children }: KnownProps<T>) {
  const isNone = Array.isArray(value) && value.length === 0 && unread.length > 0
  return (
    <RecordRead record={value}>
      <UnreadableParts parts={unreadableIn(value)} />
      {!isNone && children(value)}
      <UnreadableRows rows={unread} one="object" />
    </RecordRead>
  )
}
