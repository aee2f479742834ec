import { isTyping } from './use-shortcut'

let awaitedHeadingId: string | null = null

/**
 * Focuses the heading of a record. If the heading is not rendered yet, it takes the focus when it
 * is.
 */
export function focusRecordHeading(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(id)}"]`)
  awaitedHeadingId = heading ? null : id
  heading?.focus({ preventScroll: true })
}

/**
 * Ref of a record's heading. If `focusRecordHeading` waits for this heading, the heading takes the
 * focus, unless the person is typing.
 */
export function headingRef(heading: HTMLElement | null): void {
  if (!heading || heading.dataset.heading !== awaitedHeadingId) return
  awaitedHeadingId = null
  if (!isTyping(document.activeElement)) heading.focus({ preventScroll: true })
}

/**
 * If the heading of `from` is awaited, focuses the heading of `to` instead. Used when a placeholder
 * id is replaced by the record's id.
 */
export function moveHeadingFocus(from: string, to: string): void {
  if (awaitedHeadingId === from) focusRecordHeading(to)
}

// Ref callbacks. They are constants, because React calls a callback that is created in a component
// again at every render.

export const focusOnMount = (element: HTMLElement | null) => element?.focus()

export const focusOnMountWithoutScroll = (element: HTMLElement | null) =>
  element?.focus({ preventScroll: true })
