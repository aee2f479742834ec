import type { ReactNode } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import type { WireError } from '@/lib/errors'

type ErrorNoticeProps = {
  /** The error of `load`, or `toWire()` of a thrown one. */
  error: Pick<WireError, 'code' | 'title' | 'detail' | 'items'>
  requestId?: string
  /** What failed, in the words of the screen: "The customer could not be read". Without it the error's own title is there. */
  what?: string
  actions?: ReactNode
  /** Interrupts a screen reader; for an answer to something the person just did. */
  urgent?: boolean
  className?: string
}

/** A failure in place: what failed, what to do, which fields, and the id to quote. */
export function ErrorNotice({ error, requestId, what, actions, urgent, className }: ErrorNoticeProps) {
  const detail = error.detail === error.title ? null : error.detail
  return (
    <Notice tone="bad" title={what ?? error.title} actions={actions} role={urgent ? 'alert' : undefined} className={className}>
      {what && <p>{error.title}</p>}
      {detail && (
        <p>
          <OutsideText>{detail}</OutsideText>
        </p>
      )}
      <ErrorItems items={error.items} />
      {requestId && (
        <p className="flex items-center gap-1 text-ink-3 text-xs">
          Request <code className="break-all font-mono">{requestId}</code>
          <CopyButton text={requestId} what="request ID" />
        </p>
      )}
    </Notice>
  )
}

/** The fields of an error, with what is wrong with each. The text of the error names the person who is signed in already. */
export function ErrorItems({ items = [] }: Pick<WireError, 'items'>) {
  const fields = items.filter(({ reference }) => reference !== 'signed_in_as')
  if (fields.length === 0) return null
  return (
    <ul className="list-disc pl-4">
      {fields.map((item) => (
        <li key={`${item.reference} ${item.detail}`}>
          <span className="font-medium text-ink">{item.reference}</span>: <OutsideText>{item.detail}</OutsideText>
        </li>
      ))}
    </ul>
  )
}
