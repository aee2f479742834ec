'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { isUnlisted, type Unreadable, unreadableIn } from '@/lib/operations/answer'
import { NotReadable, PartList } from './not-readable'

/**
 * What everything on a record waits for that only the service decides: `why` is a sentence for closed buttons, `isAsking` that the answer is on its way, and
 * `isPart` that meanwhile only those parts are known that lists show.
 */
type Wait = { why: string; isAsking: boolean; isPart: boolean }

/** Null where the record on the screen is the service's own answer, and where there is none. */
export const WaitContext = createContext<Wait | null>(null)

const RecordContext = createContext<unknown>(null)

/** Tells everything below which object it is about, so that what could not be read of it says so in its place. */
export const RecordRead = ({ record, children }: { record: unknown; children: ReactNode }) => (
  <RecordContext value={record}>{children}</RecordContext>
)

/** The object the screen is about; null where it is about none. */
export const useRecordRead = (): unknown => useContext(RecordContext)

const isIn = (field: string, whole: string) => field === whole || field.startsWith(`${whole}.`)

/**
 * The value of one part of the record, by its dotted path as the service names it: "Not readable" in its place where it was not, and beside the rest
 * of it where only some of it was not.
 */
export function Part({ field, children }: { field: string; children: ReactNode }) {
  const found = unreadableIn(useRecordRead())
  const whole = found.find((each) => isIn(field, each.field))
  if (whole && isUnlisted(whole)) return <span className="text-ink-3">not read yet</span>
  if (whole) return <NotReadable raw={whole.raw} of={field} />
  const parts = found.filter((each) => isIn(each.field, field))
  if (parts.length === 0) return children
  return (
    <>
      {children}
      {parts.map((part) => (
        <p key={part.field} className="text-ink-3 text-xs">
          {part.field.slice(field.length + 1)}: not readable
        </p>
      ))}
    </>
  )
}

/** Draws what is inside only where the part could not be read, or not all of it. */
export function IfUnread({ field, children }: { field: string; children: ReactNode }) {
  const isUnread = unreadableIn(useRecordRead()).some((each) => isIn(field, each.field) || isIn(each.field, field))
  return isUnread ? children : null
}

/** At the head of a record: how many of its fields could not be read, and one click away which. Nothing where all were. */
export function UnreadableParts({ parts }: { parts: readonly Unreadable[] }) {
  const sent = parts.filter((part) => !isUnlisted(part))
  return sent.length === 0 ? null : <PartList parts={sent} />
}
