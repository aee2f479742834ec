// Ref callbacks. They are constants, because a function created in a component would run again at every render.

/** Moves the focus to an element when it appears. */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()

export const focusOnMountWithoutScroll = (element: HTMLElement | null) => element?.focus({ preventScroll: true })
