'use client'

import { Badge } from '@/components/ui/badge'
import { lengthText, timeOf } from '@/lib/dates'
import { useNow } from './clock'

/** How old a reading is. It turns to the held colour once older than `limit` (milliseconds): such data should be read again before acting on it. */
export function AgeChip({ at, limit, what = 'read' }: { at: string | null | undefined; limit: number; what?: string }) {
  const now = useNow()
  const time = timeOf(at)
  if (time === null) return <Badge tone="held">{what}: age unknown</Badge>
  const age = Math.max(0, now - time)
  const words = age < 5000 ? `${what} just now` : `${what} ${lengthText(age)} ago`
  return age > limit ? <Badge tone="held">{words}</Badge> : <span className="text-ink-3 text-xs">{words}</span>
}
