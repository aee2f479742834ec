'use client'

import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { cn } from './cn'

type DialogProps = Omit<ComponentProps<'dialog'>, 'open' | 'onClose' | 'onClick'> & { onClose: () => void }

/**
 * The browser's own modal dialog, open for as long as it is drawn: the rest of the page is inert, Escape and a press beside it close it, and focus
 * goes back to where it was.
 */
export function Dialog({ onClose, className, children, ...props }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
    // Before it is taken out of the page: only a close gives focus back.
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key that does the same is Escape, which the browser answers
    <dialog
      {...props}
      ref={dialog}
      onClose={(event) => event.currentTarget.open || onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className={cn(
        'popover-enter max-w-none rounded-lg border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-[oklch(0_0_0/0.35)]',
        className,
      )}
    >
      {children}
    </dialog>
  )
}
