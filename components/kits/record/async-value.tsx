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
  /** The height it usually comes to, so that what is below it stays where it is. */
  height?: `h-${number}`
  children: (value: T) => ReactNode
}

/** A block that is read on its own: on its way, there, or missing with the reason and a way to try again. */
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

/** What was read, and what could not be: fields of the object, or rows of the list, whose others then are not none. */
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
