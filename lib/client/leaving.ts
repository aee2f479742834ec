declare global {
  /** The URL at the last router navigation. It equals `location.href` until the new page is shown. */
  var __left: string | undefined
}

/** True while a navigation away from the current URL is pending. */
export const isLeaving = (): boolean => globalThis.__left === window.location.href

/** Marks no navigation as pending. */
export const stay = (): void => {
  globalThis.__left = undefined
}
