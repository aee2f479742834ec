'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, MouseEvent } from 'react'

/** False if the click opens a new tab or window, or was already handled. */
export const isPlainClick = (event: MouseEvent) =>
  !(
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey ||
    event.defaultPrevented
  )

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** Called with the URL on a click, in place of `router.push`. */
  go?: (href: string) => void
}

/**
 * A link to a Paydesk page. It never prefetches: a record shows up to 30 links, and their
 * prefetches would delay the record's own requests. Next's `Link` is not used because it consists
 * mostly of prefetch code, which every page would load.
 */
export function Link({ href, go, onClick, ...props }: LinkProps) {
  const router = useRouter()
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlainClick(event)) return
        event.preventDefault()
        if (go) go(href)
        else router.push(href)
      }}
    />
  )
}
