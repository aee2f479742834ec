'use client'

import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Notice } from '@/components/ui/notice'
import type { CallAnswer } from '@/lib/client/call'
import type { CallError } from '@/lib/client/call-error'

type RecordNoticesProps = {
  one: string
  readError: CallError | null
  actionsError: CallError | null
  /** The record from the mirror, Paydesk's copy of the data, then the service's response. */
  sides: readonly CallAnswer<object>[]
}

/**
 * Notices of failed refreshes, after which the older data stays visible, and a list of the fields
 * that the service's response changed. An ended session is not shown here, because the shell shows
 * it above the page.
 */
export const RecordNotices = ({
  one,
  readError,
  actionsError,
  sides: [was, is],
}: RecordNoticesProps) => (
  <>
    <RefreshErrorNotice
      what={`This ${one} could not be refreshed; the last known data is shown`}
      error={readError}
    />
    <RefreshErrorNotice
      what={`What Paydesk did with this ${one} could not be read`}
      error={actionsError}
    />
    {was && is && <DifferenceList was={was} is={is} />}
  </>
)

const RefreshErrorNotice = ({ what, error }: { what: string; error: CallError | null }) =>
  error === null || error.code === 'unauthenticated' ? null : (
    <ErrorNotice what={what} error={{ ...error.toWire() }} requestId={error.requestId} />
  )

type RecordFields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is RecordFields =>
  typeof value === 'object' && value !== null

/** True if `current` contains all values of `previous`, which may have fewer fields. */
function containsValues(current: unknown, previous: unknown): boolean {
  if (!isObject(current) || !isObject(previous)) return current === previous
  if (Array.isArray(previous) && (current as { length?: unknown }).length !== previous.length)
    return false
  return Object.entries(previous).every(([name, value]) => containsValues(current[name], value))
}

/** Returns a value as text in one line, or `none` if it is missing. Null if it is an object. */
const toSingleLine = (value: unknown): string | null => {
  if (value === undefined || value === '') return 'none'
  return isObject(value) ? null : String(value)
}

function DifferenceList({ was, is }: { was: CallAnswer<object>; is: CallAnswer<object> }) {
  const [before, now] = [was.data as RecordFields, is.data as RecordFields]
  const [fields] = useState(
    () => was.meta.mirror?.filter((field) => !containsValues(now[field], before[field])) ?? [],
  )
  if (fields.length === 0) return null
  return (
    <Notice tone="moving" role="status" title="Updated by the payments service’s answer">
      <p>
        Shown first as of <RelativeTime at={was.meta.read_at} show="moment" />. Different now:
      </p>
      <ul aria-label="What is different" className="grid gap-0.5">
        {fields.map((field) => {
          const [old, fresh] = [toSingleLine(before[field]), toSingleLine(now[field])]
          return (
            <li key={field}>
              <span className="font-medium text-ink">{field.replaceAll('_', ' ')}</span>
              {old !== null && fresh !== null && (
                <>
                  : <span className="sr-only">was </span>
                  <ExternalText className="text-ink-3 line-through">{old}</ExternalText>{' '}
                  <span className="sr-only">and is now </span>
                  <ExternalText className="font-medium text-ink">{fresh}</ExternalText>
                </>
              )}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
