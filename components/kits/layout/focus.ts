import { isInTextField } from './use-shortcut'

let awaitedHeadingId: string | null = null

/** Focuses the heading of a record, at once or when it is rendered. */
export function focusRecordHeading(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[data-heading="${CSS.escape(id)}"]`)
  awaitedHeadingId = heading ? null : id
  heading?.focus({ preventScroll: true })
}

/** Ref that takes the focus requested by `focusRecordHeading`, unless the person is typing. */
export function focusAwaitedHeading(heading: HTMLElement | null): void {
  if (!heading || heading.dataset.heading !== awaitedHeadingId) return
  awaitedHeadingId = null
  if (!isInTextField(document.activeElement)) heading.focus({ preventScroll: true })
}

/**
 * If the heading of `from` is awaited, focuses the heading of `toId` instead. Used when a placeholder
 * id is replaced by the record's id.
 */
export function moveHeadingFocus(fromId: string, toId: string): void {
  if (awaitedHeadingId === fromId) focusRecordHeading(toId)
}

// Constants, because React calls a ref callback created in a component again at every render.

export const focusOnMount = (element: HTMLElement | null) => element?.focus()

/** Scrolls only if the element is outside the viewport, or outside the part that scrolls. */
export function focusIntoView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView?.({ block: 'nearest' })
}

export const focusOnMountWithoutScroll = (element: HTMLElement | null) =>
  element?.focus({ preventScroll: true })
