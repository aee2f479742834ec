declare global {
  /** The URL from which the router last navigated. It equals `location.href` until the new page is shown. */
  var __left: string | undefined
}

/** True while a navigation is pending. */
export const isLeaving = (): boolean => globalThis.__left === window.location.href

/** Clears the pending navigation. */
export const stay = (): void => {
  globalThis.__left = undefined
}
