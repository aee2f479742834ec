'use client'

import { LoaderCircle } from 'lucide'
import { type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react'
import { type ButtonVariants, buttonVariants } from './button-variants'
import { cn } from './cn'
import { LineIcon } from './line-icon'

const gap = 6

/**
 * A hint on hover and focus, drawn in the browser's top layer so that no panel clips it. `children` gets the id to put into `aria-describedby`:
 * the text is in the document all the time, so a screen reader hears it without any hovering. Escape hides it (WCAG 1.4.13).
 */
function Tooltip({
  content,
  className,
  children,
}: {
  content: ReactNode
  className?: string
  children: (describedBy: string) => ReactNode
}) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const show = () => open(anchor.current, tip.current)
  const hide = () => close(tip.current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen(tip.current)) return
    event.preventDefault()
    event.stopPropagation()
    hide()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside is what people operate, this only watches it
    <span
      ref={anchor}
      className={cn('inline-flex', className)}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children(id)}
      <span
        ref={tip}
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

const isOpen = (tip: HTMLElement | null) => tip?.matches(':popover-open') ?? false

function open(anchor: HTMLElement | null, tip: HTMLElement | null) {
  if (!anchor || !tip?.showPopover || isOpen(tip)) return
  tip.showPopover()
  const at = anchor.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const above = at.top - height - gap
  tip.style.top = `${above >= gap ? above : at.bottom + gap}px`
  tip.style.left = `${Math.max(gap, Math.min(at.left + (at.width - width) / 2, window.innerWidth - width - gap))}px`
}

function close(tip: HTMLElement | null) {
  if (isOpen(tip)) tip?.hidePopover()
}

/**
 * `disabledReason` closes the button but leaves it in the tab order, and says why on hover, on focus and to a screen reader. `loading` closes it
 * while its work runs. The native `disabled` is for the rare control that needs no reason.
 */
export type ButtonProps = ComponentProps<'button'> & ButtonVariants & { loading?: boolean; disabledReason?: string | null }

const stop = (event: MouseEvent) => event.preventDefault()

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
  const closed = loading || Boolean(disabledReason)
  const draw = (describedBy?: string) => (
    <button
      {...props}
      type={type}
      className={cn(buttonVariants({ variant, size }), className)}
      aria-disabled={closed || undefined}
      aria-busy={loading || props['aria-busy']}
      aria-describedby={[props['aria-describedby'], describedBy].filter(Boolean).join(' ') || undefined}
      onClick={closed ? stop : onClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
  return disabledReason ? <Tooltip content={disabledReason}>{draw}</Tooltip> : draw()
}

/** A turning ring beside a word; it is never the only sign of waiting. */
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
