'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { isUnlisted, type Unreadable, unreadableIn } from '@/lib/operations/answer'
import { NotReadable, PartList } from './not-readable'

/**
 * The state of a record until the service has returned it. `why` is the reason as a sentence, for disabled buttons. `isAsking` is true
 * while the request is running. `isPart` is true if only the fields of lists are known.
 */
type Wait = { why: string; isAsking: boolean; isPart: boolean }

/** Null if the record shown is the service's response, or if there is no record. */
export const WaitContext = createContext<Wait | null>(null)

const RecordContext = createContext<unknown>(null)

/** Provides a record to its descendants, which mark its unreadable fields. */
export const RecordRead = ({ record, children }: { record: unknown; children: ReactNode }) => (
  <RecordContext value={record}>{children}</RecordContext>
)

/** Returns the record of the nearest `RecordRead`; null if there is none. */
export const useRecordRead = (): unknown => useContext(RecordContext)

const isIn = (field: string, whole: string) => field === whole || field.startsWith(`${whole}.`)

/**
 * Renders the value of a field (`children`), named by its dotted path at the service. Renders "Not readable" in place of an unreadable
 * value, and below a value whose nested fields are partly unreadable.
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

/** Renders its children only if the field or a part of it could not be read. */
export function IfUnread({ field, children }: { field: string; children: ReactNode }) {
  const isUnread = unreadableIn(useRecordRead()).some((each) => isIn(field, each.field) || isIn(each.field, field))
  return isUnread ? children : null
}

/** The unreadable fields of a record. Renders nothing if all could be read. */
export function UnreadableParts({ parts }: { parts: readonly Unreadable[] }) {
  const sent = parts.filter((part) => !isUnlisted(part))
  return sent.length === 0 ? null : <PartList parts={sent} />
}
