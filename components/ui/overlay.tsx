'use client'

import {
  type ComponentProps,
  type ReactNode,
  type SyntheticEvent,
  type ToggleEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Boundary } from './boundary'
import { cn } from './cn'

type DialogProps = Omit<ComponentProps<'dialog'>, 'open' | 'onClose' | 'onClick'> & {
  onClose: () => void
}

function showModal(dialog: HTMLDialogElement) {
  dialog.showModal()
  // Closes the dialog before the unmount, because only closing restores the focus.
  return () => dialog.close()
}

/**
 * The browser's modal dialog. It is open while it is mounted, and the rest of the page is inert.
 * Escape or a click outside closes it. The focus then returns to the element that had it before.
 */
export function Dialog({ onClose, className, children, ...props }: DialogProps) {
  // On Escape the browser fires `cancel` first and `close` in a later task. The dialog closes on
  // `cancel`, because another key could arrive in between.
  const onCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the equivalent key is Escape, which the browser handles
    <dialog
      {...props}
      ref={showModal}
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

const panelGapPx = 4

type PopoverProps = Omit<ComponentProps<'button'>, 'content'> & {
  label: string
  align?: 'start' | 'end'
  panelClassName?: string
  /**
   * Renders the content only while the panel is open, so that it can be a lazy component. The first
   * control in it should take the focus.
   */
  content: (close: () => void) => ReactNode
}

/** The click that closes a panel does not also open the table row that it hits. */
function blockRowClick({ target }: PointerEvent): void {
  const row = target instanceof Element ? target.closest('tr') : null
  if (!row) return
  const clickBlock = new AbortController()
  const blockClick = (event: MouseEvent) => {
    if (!(event.target instanceof Node && row.contains(event.target))) return
    event.preventDefault()
    event.stopPropagation()
  }
  const options = { capture: true, once: true, signal: clickBlock.signal }
  document.addEventListener('click', blockClick, options)
  // A drag ends without a click. The next press must not be blocked then.
  document.addEventListener('pointerdown', () => clickBlock.abort(), options)
}

/**
 * A button that opens a panel in the browser's top layer. Escape or a click outside closes the
 * panel, and the button takes the focus. The button works before hydration, because the browser
 * opens the panel itself (`popoverTarget`).
 */
export function Popover({
  label,
  align = 'start',
  panelClassName,
  content,
  children,
  ...props
}: PopoverProps) {
  const id = useId()
  const triggerRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // The person may have opened the panel before hydration, when `onToggle` was not yet attached.
  useLayoutEffect(() => {
    const panelElement = panelRef.current
    if (!panelElement?.matches(':popover-open')) return
    positionPanel(triggerRef.current, panelElement, align)
    setOpen(true)
  }, [align])
  useEffect(() => {
    if (!open) return
    document.addEventListener('pointerdown', blockRowClick, true)
    return () => document.removeEventListener('pointerdown', blockRowClick, true)
  }, [open])
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    const isOpening = event.newState === 'open'
    if (isOpening) positionPanel(triggerRef.current, event.currentTarget, align)
    setOpen(isOpening)
  }
  return (
    <>
      <button
        {...props}
        ref={triggerRef}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={id}
      >
        {children}
      </button>
      <div
        ref={panelRef}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={onToggle}
        className={cn(
          'popover-enter fixed inset-auto m-0 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-raised text-ink shadow-float',
          panelClassName,
        )}
      >
        {open && (
          <Boundary fallback={<p className="p-3 text-ink-3 text-sm">Loading</p>}>
            {content(() => panelRef.current?.hidePopover())}
          </Boundary>
        )}
      </div>
    </>
  )
}

/**
 * Places the panel below the button, or above it if the button is in the lower part of the window.
 * A panel with more content than fits there scrolls.
 * A script sets the position, because the CSP blocks style attributes in HTML.
 */
function positionPanel(trigger: HTMLElement | null, panel: HTMLElement, align: 'start' | 'end') {
  if (!trigger) return
  const triggerRect = trigger.getBoundingClientRect()
  const { clientHeight } = document.documentElement
  const isTriggerLow = triggerRect.bottom > clientHeight * 0.6
  const edge = panelGapPx + (isTriggerLow ? clientHeight - triggerRect.top : triggerRect.bottom)
  panel.style.maxHeight = `${clientHeight - edge - panelGapPx}px`
  panel.style.top = isTriggerLow ? 'auto' : `${edge}px`
  panel.style.bottom = isTriggerLow ? `${edge}px` : 'auto'
  const fitsRightAligned = triggerRect.right - panel.offsetWidth >= 8
  panel.style.left = 'auto'
  panel.style.right = 'auto'
  if (align === 'end' && fitsRightAligned)
    panel.style.right = `${Math.max(8, document.documentElement.clientWidth - triggerRect.right)}px`
  else
    panel.style.left = `${Math.max(8, Math.min(triggerRect.left, document.documentElement.clientWidth - panel.offsetWidth - 8))}px`
}
