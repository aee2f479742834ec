import type { ReactNode } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import type { WireError } from '@/lib/errors'

type ErrorNoticeProps = {
  /** The error of a server read, or `toWire()` of a `CallError`. */
  error: Pick<WireError, 'code' | 'title' | 'detail' | 'items'>
  requestId?: string
  /**
   * The notice's title, such as "The customer could not be read". The default is the error's title.
   */
  what?: string
  actions?: ReactNode
  /**
   * If true, a screen reader announces the error at once. Use it for the result of a person's
   * action.
   */
  urgent?: boolean
  className?: string
}

/** An inline error with its title, detail, invalid fields and request id. */
export function ErrorNotice({
  error,
  requestId,
  what,
  actions,
  urgent,
  className,
}: ErrorNoticeProps) {
  const detail = error.detail === error.title ? null : error.detail
  return (
    <Notice
      tone="bad"
      title={what ?? error.title}
      actions={actions}
      role={urgent ? 'alert' : undefined}
      className={className}
    >
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

/**
 * The invalid fields of an error. The item `signed_in_as` is omitted: it names the person who is
 * signed in, and so does the error's text.
 */
export function ErrorItems({ items = [] }: Pick<WireError, 'items'>) {
  const fields = items.filter(({ reference }) => reference !== 'signed_in_as')
  if (fields.length === 0) return null
  return (
    <ul className="list-disc pl-4">
      {fields.map((item) => (
        <li key={`${item.reference} ${item.detail}`}>
          <span className="font-medium text-ink">{item.reference}</span>:{' '}
          <OutsideText>{item.detail}</OutsideText>
        </li>
      ))}
    </ul>
  )
}
