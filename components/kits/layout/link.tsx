'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, MouseEvent } from 'react'

/** Whether a click means "here", not "in a new tab". */
export const isPlainClick = (event: MouseEvent) =>
  !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented)

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** How the page is gone to, where not by the router alone. */
  go?: (href: string) => void
}

/**
 * A link to a page of ours. It reads nothing before it is followed: a record shows up to thirty links, and what would be read ahead for each of them
 * queues before what the record itself still reads. Most of Next's own link is for reading ahead, and every page would carry it.
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
