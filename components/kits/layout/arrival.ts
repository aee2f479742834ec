import { isTyping } from './use-shortcut'

let awaited: string | null = null

/** Focuses the heading of a record, now or as soon as it is rendered. */
export function focusHeadingOf(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(id)}"]`)
  awaited = heading ? null : id
  heading?.focus({ preventScroll: true })
}

/** Ref of a record's heading. The heading takes the focus if `focusHeadingOf` waits for it and the person is not typing. */
export function headingRef(heading: HTMLElement | null): void {
  if (!heading || heading.dataset.heading !== awaited) return
  awaited = null
  if (!isTyping(document.activeElement)) heading.focus({ preventScroll: true })
}

/** Moves the pending focus to the record's real id. */
export function handOverFocus(from: string, to: string): void {
  if (awaited === from) focusHeadingOf(to)
}
