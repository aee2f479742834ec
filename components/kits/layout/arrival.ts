'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from './use-shortcut'

let awaited: string | null = null

/** Focuses the heading of a record, now or as soon as it is rendered. */
export function focusHeadingOf(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(id)}"]`)
  awaited = heading ? null : id
  heading?.focus({ preventScroll: true })
}

/** Ref of a record's heading. The heading takes the focus if `focusHeadingOf` waits for it and the person is not typing. */
export function useHeading(id: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (awaited !== id) return
    awaited = null
    if (!isTyping(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [id])
  return heading
}

/** Moves the pending focus to the record's real id. */
export function handOverFocus(from: string, to: string): void {
  if (awaited === from) focusHeadingOf(to)
}
