'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonVariants, buttonVariants } from './button-variants'
import { cn } from './cn'
import { Spinner } from './spinner'
import { Tooltip } from './tooltip'

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
      aria-busy={loading || undefined}
      aria-describedby={[props['aria-describedby'], describedBy].filter(Boolean).join(' ') || undefined}
      onClick={closed ? stop : onClick}
    >
      {loading && <Spinner />}
      {children}
    </button>
  )
  return disabledReason ? <Tooltip content={disabledReason}>{draw}</Tooltip> : draw()
}
