import type { ReactNode } from 'react'
import { RecordProvider, UnreadableFields } from '@/components/kits/unreadable/unreadable-fields'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { ReadResult } from '@/lib/domain/check'
import { getUnreadableFields } from '@/lib/operations/answer'

type ReadValueProps<T> = {
  read: ReadResult<T>
  onAgain: () => void
  /** The usual height of the block. The skeleton has this height, to avoid a layout shift. */
  height?: `h-${number}`
  children: (data: T) => ReactNode
}

/**
 * Shows the result of a read: a skeleton, the data, or the error with a retry button. Unreadable
 * fields and rows are listed beside the data. A list whose rows are all unreadable is not shown as
 * empty.
 */
export function ReadResultBlock<T>({
  read: { data, unread = [], error },
  onAgain,
  height = 'h-46',
  children,
}: ReadValueProps<T>) {
  if (data !== undefined) {
    const isFullyUnreadable = Array.isArray(data) && data.length === 0 && unread.length > 0
    return (
      <RecordProvider record={data}>
        <UnreadableFields parts={getUnreadableFields(data)} />
        {!isFullyUnreadable && children(data)}
        <UnreadableRows rows={unread} one="object" />
      </RecordProvider>
    )
  }
  if (error === undefined) return <Skeleton className={height} />
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink-2">
      {error}
      {error.startsWith('Could not be read') && (
        <Button size="small" onClick={onAgain}>
          Try again
        </Button>
      )}
    </p>
  )
}
