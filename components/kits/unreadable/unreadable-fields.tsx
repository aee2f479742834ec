'use client'

import { createContext, type ReactNode, useContext } from 'react'
import {
  getUnreadableFields,
  isAbsentFromLists,
  type UnreadableField,
} from '@/lib/operations/answer'
import { UnreadableFieldList, UnreadableValue } from './not-readable'

/**
 * A record from the mirror, Paydesk's copy of the service's data, which the service has not
 * returned yet. `why` is the sentence that disabled buttons show. `isAsking` is true while the
 * request runs. `isPart` is true if only the fields that a list returns are known.
 */
type PendingRecordState = { why: string; isAsking: boolean; isPart: boolean }

/** Null if the shown record is the service's response, or if there is no record. */
export const PendingRecordContext = createContext<PendingRecordState | null>(null)

const RecordContext = createContext<unknown>(null)

/** Provides a record to its descendants, which mark its unreadable fields. */
export const RecordProvider = ({ record, children }: { record: unknown; children: ReactNode }) => (
  <RecordContext value={record}>{children}</RecordContext>
)

export const useProvidedRecord = (): unknown => useContext(RecordContext)

const isFieldWithin = (field: string, whole: string) =>
  field === whole || field.startsWith(`${whole}.`)

/**
 * Renders the value of a field (`children`). `field` is its dotted path in the service's response.
 * "Not readable" replaces an unreadable value. If only nested fields are unreadable, they are
 * listed below the value.
 */
export function ReadableRecordField({ field, children }: { field: string; children: ReactNode }) {
  const unreadableFields = getUnreadableFields(useProvidedRecord())
  const enclosingField = unreadableFields.find((each) => isFieldWithin(field, each.field))
  if (enclosingField && isAbsentFromLists(enclosingField))
    return <span className="text-ink-3">not read yet</span>
  if (enclosingField) return <UnreadableValue raw={enclosingField.raw} of={field} />
  const nestedFields = unreadableFields.filter((each) => isFieldWithin(each.field, field))
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

export function IfUnreadable({ field, children }: { field: string; children: ReactNode }) {
  const hasUnreadableField = getUnreadableFields(useProvidedRecord()).some(
    (each) => isFieldWithin(field, each.field) || isFieldWithin(each.field, field),
  )
  return hasUnreadableField ? children : null
}

export function UnreadableFields({ parts }: { parts: readonly UnreadableField[] }) {
  const listedParts = parts.filter((part) => !isAbsentFromLists(part))
  return listedParts.length === 0 ? null : <UnreadableFieldList parts={listedParts} />
}
