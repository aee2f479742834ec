'use client'

import { LoaderCircle } from 'lucide'
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
} from 'react'
import { type ButtonVariants, buttonVariants } from './button-variants'
import { cn } from './cn'
import { LineIcon } from './line-icon'

const tipGapPx = 6

/**
 * A hint that is shown on hover and focus, in the browser's top layer so that no panel clips it.
 * `children` receives the hint's id for `aria-describedby`. The hint is always in the document, so
 * that screen readers can read it without hover. Escape hides it (WCAG 1.4.13).
 */
function Tooltip({
  content,
  children,
}: {
  content: ReactNode
  children: (describedBy: string) => ReactNode
}) {
  const id = useId()
  const anchorElement = useRef<HTMLSpanElement>(null)
  const tipElement = useRef<HTMLSpanElement>(null)
  const showTip = () => openTip(anchorElement.current, tipElement.current)
  const hideTip = () => closeTip(tipElement.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isTipOpen(tipElement.current)) return
    event.preventDefault()
    event.stopPropagation()
    hideTip()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: users operate the control inside; this element only observes it
    <span
      ref={anchorElement}
      className="inline-flex"
      onPointerEnter={showTip}
      onPointerLeave={hideTip}
      onFocus={showTip}
      onBlur={hideTip}
      onKeyDown={onKeyDown}
    >
      {children(id)}
      <span
        ref={tipElement}
        id={id}
        role="tooltip"
        popover="manual"
        className="popover-enter pointer-events-none fixed inset-auto m-0 max-w-72 rounded border border-line bg-raised px-2 py-1 text-ink text-xs shadow-float"
      >
        {content}
      </span>
    </span>
  )
}

const isTipOpen = (tip: HTMLElement | null) => tip?.matches(':popover-open') ?? false

function openTip(anchor: HTMLElement | null, tip: HTMLElement | null) {
  if (!anchor || !tip?.showPopover || isTipOpen(tip)) return
  tip.showPopover()
  const anchorRect = anchor.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const topAbove = anchorRect.top - height - tipGapPx
  tip.style.top = `${topAbove >= tipGapPx ? topAbove : anchorRect.bottom + tipGapPx}px`
  tip.style.left = `${Math.max(tipGapPx, Math.min(anchorRect.left + (anchorRect.width - width) / 2, window.innerWidth - width - tipGapPx))}px`
}

function closeTip(tip: HTMLElement | null) {
  if (isTipOpen(tip)) tip?.hidePopover()
}

/**
 * `disabledReason` disables the button but keeps it in the tab order. The reason is shown on hover
 * and focus, and screen readers read it. `loading` disables the button and shows a spinner. Use
 * `disabled` only if no reason is needed.
 */
export type ButtonProps = ComponentProps<'button'> &
  ButtonVariants & { loading?: boolean; disabledReason?: string | null }

const preventClick = (event: MouseEvent) => event.preventDefault()

export function Button({
  variant,
  size,
  loading = false,
  disabledReason,
  className,
  children,
  onClick,
  type = 'button',
  ...props
}: ButtonProps) {
  const isInactive = loading || Boolean(disabledReason)
  const renderButton = (describedBy?: string) => (
    <button
      {...props}
      type={type}
      className={cn(buttonVariants({ variant, size }), className)}
      aria-disabled={isInactive || undefined}
      aria-busy={loading || props['aria-busy']}
      aria-describedby={
        [props['aria-describedby'], describedBy].filter(Boolean).join(' ') || undefined
      }
      onClick={isInactive ? preventClick : onClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
  return disabledReason ? (
    <Tooltip content={disabledReason}>{renderButton}</Tooltip>
  ) : (
    renderButton()
  )
}

/** A spinner. Show it beside a text that states what is running. */
export const Spinner = () => <LineIcon shapes={LoaderCircle} className="size-4 animate-spin" />

export const Kbd = ({ className, ...props }: ComponentProps<'kbd'>) => (
  <kbd
    {...props}
    className={cn(
      'inline-flex h-4 min-w-4 items-center justify-center rounded-[3px] border border-line bg-sunken px-1 font-sans text-2xs text-ink-3',
      className,
    )}
  />
)
