'use client'

import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { AgeChip } from '@/components/kits/layout/age-chip'
import type { LimitUse } from '@/lib/domain/limit-request'

/** An adding is believed for a few minutes; after that its age stands out. */
const staleAfter = 5 * 60_000

/** Whose figures these are and how old, or why there are none. The limits stand either way. */
export function UseNote({ use }: { use: LimitUse }) {
  if (!use.ok)
    return <ErrorNotice what="What is used could not be read; the limits below are" error={use.error} requestId={use.requestId} />
  const { unreadable, atLeast } = use.usage
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-ink-3 text-xs">
      Used: our own estimate by payment date in New York, <AgeChip at={use.readAt} limit={staleAfter} what="added up" />
      {atLeast && unreadable === 0 && <span className="font-medium text-held">There are more payments than one adding reads.</span>}
      {unreadable > 0 && <span className="font-medium text-held">{unreadable} amounts could not be read.</span>}
    </p>
  )
}
