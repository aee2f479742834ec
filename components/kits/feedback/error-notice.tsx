import type { ReactNode } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import type { WireError } from '@/lib/errors'

type ErrorNoticeProps = {
  /** The error of a server read, or `toWire()` of a `CallError`. */
  error: Pick<WireError, 'code' | 'title' | 'detail' | 'items'>
  requestId?: string
  /** Such as "The customer could not be read". The default is the error's title. */
  what?: string
  actions?: ReactNode
  /** If true, screen readers announce the error at once. Use it for the result of an action. */
  urgent?: boolean
  className?: string
}

export function ErrorNotice({
  error,
  requestId,
  what,
  actions,
  urgent,
  className,
}: ErrorNoticeProps) {
  const distinctDetail = error.detail === error.title ? null : error.detail
  return (
    <Notice
      tone="bad"
      title={what ?? error.title}
      actions={actions}
      role={urgent ? 'alert' : undefined}
      className={className}
    >
      {what && <p>{error.title}</p>}
      {distinctDetail && (
        <p>
          <ExternalText>{distinctDetail}</ExternalText>
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

/** Omits `signed_in_as` (the signed-in person): the error's text contains the same name. */
export function ErrorItems({ items = [] }: Pick<WireError, 'items'>) {
  const itemsWithoutSignInHint = items.filter(({ reference }) => reference !== 'signed_in_as')
  if (itemsWithoutSignInHint.length === 0) return null
  return (
    <ul className="list-disc pl-4">
      {itemsWithoutSignInHint.map((item) => (
        <li key={`${item.reference} ${item.detail}`}>
          <span className="font-medium text-ink">{item.reference}</span>:{' '}
          <ExternalText>{item.detail}</ExternalText>
        </li>
      ))}
    </ul>
  )
}
