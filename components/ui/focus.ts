// Ref callbacks. They are constants, because React calls a callback that is created in a component again at every render.

export const focusOnMount = (element: HTMLElement | null) => element?.focus()

export const focusOnMountWithoutScroll = (element: HTMLElement | null) => element?.focus({ preventScroll: true })
