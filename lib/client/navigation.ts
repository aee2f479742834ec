declare global {
  /** The URL that the last navigation left. `location.href` equals it until the new page shows. */
  var __navigatingFrom: string | undefined
}

export const isNavigating = (): boolean => globalThis.__navigatingFrom === window.location.href

/** Makes `isNavigating` return false. It does not stop the router. */
export const cancelNavigation = (): void => {
  globalThis.__navigatingFrom = undefined
}
