'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from './use-shortcut'

let awaited: string | null = null

/** Brings the focus to the heading of a record, at once or as soon as it is drawn. */
export function focusHeadingOf(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(id)}"]`)
  awaited = heading ? null : id
  heading?.focus({ preventScroll: true })
}

/** The heading of a record, which takes the focus where `focusHeadingOf` waits for it; not from somebody who types by now. */
export function useHeading(id: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (awaited !== id) return
    awaited = null
    if (!isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [id])
  return heading
}

/** What waited for one heading waits for another: the record has its name by now. */
export function handOverFocus(from: string, to: string): void {
  if (awaited === from) focusHeadingOf(to)
}
