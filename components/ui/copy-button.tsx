'use client'

import { Check, Copy } from 'lucide'
import { type ReactNode, useRef, useState } from 'react'
import { cn } from './cn'
import { LineIcon } from './line-icon'

type CopyStatus = 'no' | 'yes' | 'failed'

const statusTexts: Record<CopyStatus, string> = {
  no: '',
  yes: 'Copied',
  failed: 'The browser did not allow copying',
}

/**
 * A button that copies `text`. `what` names the text for the label, for example "payout id". The
 * button shows an icon, followed by `children` if there are any.
 */
export function CopyButton({
  text,
  what,
  className,
  children,
}: {
  text: string
  what: string
  className?: string
  children?: ReactNode
}) {
  const [copyStatus, setCopyStatus] = useState<CopyStatus>('no')
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined)
  const showStatus = (result: CopyStatus) => {
    setCopyStatus(result)
    clearTimeout(timerRef.current)
    timerRef.current = setTimeout(setCopyStatus, 1600, 'no')
  }
  const copyText = () =>
    navigator.clipboard.writeText(text).then(
      () => showStatus('yes'),
      () => showStatus('failed'),
    )
  return (
    <button
      type="button"
      onClick={copyText}
      title={`Copy ${what}`}
      className={cn(
        'inline-flex shrink-0 items-center gap-1.5 rounded-sm text-ink-3 text-xs hover:bg-ink/6 hover:text-ink',
        children
          ? 'h-control px-2 font-medium'
          : 'relative size-6 justify-center pointer-coarse:size-8 pointer-coarse:after:absolute pointer-coarse:after:-inset-1',
        className,
      )}
    >
      <LineIcon shapes={copyStatus === 'yes' ? Check : Copy} className="size-3.5 shrink-0" />
      {children ?? <span className="sr-only">Copy {what}</span>}
      <span aria-live="polite" className="sr-only">
        {statusTexts[copyStatus]}
      </span>
    </button>
  )
}

const splitId = (id: string) =>
  id.length <= 16
    ? { head: id, middle: '', tail: '' }
    : { head: id.slice(0, 8), middle: id.slice(8, -6), tail: id.slice(-6) }

/**
 * An id whose middle is visually hidden. The full id stays in the document for page search,
 * selection and screen readers, and in the tooltip. If `what` is set, for example to "payout id", a
 * copy button with this name follows.
 */
export function ShortId({
  id,
  what,
  className,
}: {
  id: string
  what?: string
  className?: string
}) {
  const { head, middle, tail } = splitId(id)
  return (
    <span className={cn('inline-flex max-w-full items-center gap-0.5', className)}>
      <span title={id} className="whitespace-nowrap font-mono text-xs">
        {head}
        {middle !== '' && (
          <>
            <span className="inline-block w-0 select-text overflow-hidden whitespace-nowrap align-bottom print:w-auto">
              {middle}
            </span>
            <span
              aria-hidden="true"
              className="select-none text-ink-3 before:content-['…'] print:hidden"
            />
          </>
        )}
        {tail}
      </span>
      {what && <CopyButton text={id} what={what} />}
    </span>
  )
}
