declare global {
  /**
   * The URL that the last navigation left. `location.href` still equals it until the new page is
   * shown.
   */
  var __navigatingFrom: string | undefined
}

/** True while a navigation is pending. */
export const isNavigating = (): boolean => globalThis.__navigatingFrom === window.location.href

/** Makes `isNavigating` return false. It does not stop the router. */
export const cancelNavigation = (): void => {
  globalThis.__navigatingFrom = undefined
}
