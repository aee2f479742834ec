declare global {
  /** The URL from which the router last navigated. It equals `location.href` until the new page is shown. */
  var __navigatingFrom: string | undefined
}

/** True while a navigation is pending. */
export const isNavigating = (): boolean => globalThis.__navigatingFrom === window.location.href

/** Clears the pending navigation. */
export const cancelNavigation = (): void => {
  globalThis.__navigatingFrom = undefined
}
