declare global {
  /**
   * The URL of the page from which the last navigation started. `location.href` equals it until the
   * new page is shown.
   */
  var __navigatingFrom: string | undefined
}

export const isNavigating = (): boolean => globalThis.__navigatingFrom === window.location.href

/** Makes `isNavigating` return false. It does not stop the router. */
export const cancelNavigation = (): void => {
  globalThis.__navigatingFrom = undefined
}
