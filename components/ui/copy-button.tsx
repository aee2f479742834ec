'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { cn } from './cn'

type Copied = 'no' | 'yes' | 'failed'

const said: Record<Copied, string> = { no: '', yes: 'Copied', failed: 'The browser did not allow copying' }

/** Copies `text`; `what` names it ("payout id"). With `children` it is a worded button, without a small icon. */
export function CopyButton({ text, what, className, children }: { text: string; what: string; className?: string; children?: ReactNode }) {
  const [copied, setCopied] = useState<Copied>('no')
  useEffect(() => {
    if (copied === 'no') return
    const timer = setTimeout(() => setCopied('no'), 1600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <button
      type="button"
      onClick={copy}
      title={`Copy ${what}`}
      className={cn(
        'inline-flex shrink-0 items-center gap-1.5 rounded-sm text-ink-3 text-xs hover:bg-ink/6 hover:text-ink',
        children ? 'h-control px-2 font-medium' : 'size-6 justify-center pointer-coarse:size-8',
        className,
      )}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.5" className="size-3.5 shrink-0">
        {copied === 'yes' ? (
          <path d="m3.5 8.5 3 3 6-7" strokeLinecap="round" strokeLinejoin="round" />
        ) : (
          <path d="M5.75 5.75V3.5c0-.55.45-1 1-1h5.75c.55 0 1 .45 1 1v5.75c0 .55-.45 1-1 1h-2.25M3.5 5.75h5.75c.55 0 1 .45 1 1v5.75c0 .55-.45 1-1 1H3.5c-.55 0-1-.45-1-1V6.75c0-.55.45-1 1-1Z" />
        )}
      </svg>
      {children ?? <span className="sr-only">Copy {what}</span>}
      <span aria-live="polite" className="sr-only">
        {said[copied]}
      </span>
    </button>
  )
}
