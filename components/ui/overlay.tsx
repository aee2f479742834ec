'use client'

import { type ComponentProps, type ReactNode, type SyntheticEvent, type ToggleEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Boundary } from './boundary'
import { cn } from './cn'

type DialogProps = Omit<ComponentProps<'dialog'>, 'open' | 'onClose' | 'onClick'> & { onClose: () => void }

/**
 * The browser's own modal dialog, open for as long as it is drawn: the rest of the page is inert, Escape and a press beside it close it, and focus
 * goes back to where it was.
 */
export function Dialog({ onClose, className, children, ...props }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Escape: the browser would close it now and say so in a later task, before which another key can arrive.
  const onCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
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
      onCancel={onCancel}
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

const gap = 4

type PopoverProps = Omit<ComponentProps<'button'>, 'content'> & {
  /** Names the panel for a screen reader. */
  label: string
  align?: 'start' | 'end'
  panelClassName?: string
  /** Drawn only while open, so it may be a lazy component. Gets the way to close the panel; the first control in it should take focus. */
  content: (close: () => void) => ReactNode
}

/**
 * A button with a panel in the browser's own top layer: Escape and a press outside close it and focus goes back to the button, without any code
 * of ours before the first opening.
 */
export function Popover({ label, align = 'start', panelClassName, content, children, ...props }: PopoverProps) {
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // The browser opens it before any script of ours is here.
  useLayoutEffect(() => {
    const shown = panel.current
    if (!shown?.matches(':popover-open')) return
    place(trigger.current, shown, align)
    setOpen(true)
  }, [align])
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    const opens = event.newState === 'open'
    if (opens) place(trigger.current, event.currentTarget, align)
    setOpen(opens)
  }
  return (
    <>
      <button {...props} ref={trigger} type="button" popoverTarget={id} aria-haspopup="dialog" aria-expanded={open} aria-controls={id}>
        {children}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={onToggle}
        className={cn(
          'popover-enter fixed inset-auto m-0 max-h-[calc(100dvh-4rem)] max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised text-ink shadow-float',
          panelClassName,
        )}
      >
        {open && (
          <Boundary fallback={<p className="p-3 text-ink-3 text-sm">Loading</p>}>{content(() => panel.current?.hidePopover())}</Boundary>
        )}
      </div>
    </>
  )
}

/**
 * Below the button, or above it where the button is low, kept inside the window; set by script, since the page's policy allows no style
 * attributes in HTML.
 */
function place(trigger: HTMLElement | null, panel: HTMLElement, align: 'start' | 'end') {
  if (!trigger) return
  const at = trigger.getBoundingClientRect()
  const { clientHeight } = document.documentElement
  const low = at.bottom > clientHeight * 0.6
  panel.style.top = low ? 'auto' : `${at.bottom + gap}px`
  panel.style.bottom = low ? `${clientHeight - at.top + gap}px` : 'auto'
  const endsInside = at.right - panel.offsetWidth >= 8
  panel.style.left = 'auto'
  panel.style.right = 'auto'
  if (align === 'end' && endsInside) panel.style.right = `${Math.max(8, document.documentElement.clientWidth - at.right)}px`
  else panel.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - panel.offsetWidth - 8))}px`
}
