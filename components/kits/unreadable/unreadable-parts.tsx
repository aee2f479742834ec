'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { isUnlisted, type Unreadable, unreadableIn } from '@/lib/operations/answer'
import { NotReadable, PartList } from './not-readable'

/**
 * The state of a record whose service response is missing. `why` is a sentence for disabled buttons. `isAsking`: the request is running.
 * `isPart`: only the fields that lists contain are known so far.
 */
type Wait = { why: string; isAsking: boolean; isPart: boolean }

/** Null if the record on the screen is the service's response, and if there is no record. */
export const WaitContext = createContext<Wait | null>(null)

const RecordContext = createContext<unknown>(null)

/** Provides the record to its descendants, so that they can mark its unreadable parts. */
export const RecordRead = ({ record, children }: { record: unknown; children: ReactNode }) => (
  <RecordContext value={record}>{children}</RecordContext>
)

/** Returns the record of the screen; null if there is none. */
export const useRecordRead = (): unknown => useContext(RecordContext)

const isIn = (field: string, whole: string) => field === whole || field.startsWith(`${whole}.`)

/**
 * The value of one field, by its dotted path at the service. It shows "Not readable" in place of an unreadable value, and beside a value
 * that is partly unreadable.
 */
export function Part({ field, children }: { field: string; children: ReactNode }) {
  const found = unreadableIn(useRecordRead())
  const enclosingField = found.find((each) => isIn(field, each.field))
  if (enclosingField && isUnlisted(enclosingField)) return <span className="text-ink-3">not read yet</span>
  if (enclosingField) return <NotReadable raw={enclosingField.raw} of={field} />
  const nestedFields = found.filter((each) => isIn(each.field, field))
  if (nestedFields.length === 0) return children
  return (
    <>
      {children}
      {nestedFields.map((part) => (
        <p key={part.field} className="text-ink-3 text-xs">
          {part.field.slice(field.length + 1)}: not readable
        </p>
      ))}
    </>
  )
}

/** Renders its children only if the field could not be read completely. */
export function IfUnread({ field, children }: { field: string; children: ReactNode }) {
  const isUnread = unreadableIn(useRecordRead()).some((each) => isIn(field, each.field) || isIn(each.field, field))
  return isUnread ? children : null
}

/** The unreadable fields at the head of a record, or nothing if all could be read. */
export function UnreadableParts({ parts }: { parts: readonly Unreadable[] }) {
  const sent = parts.filter((part) => !isUnlisted(part))
  return sent.length === 0 ? null : <PartList parts={sent} />
}
