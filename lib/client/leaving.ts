declare global {
  /** The address that the router left last; until the page it goes to is there, it is still the address of the window. */
  var __left: string | undefined
}

/** Whether a page that was gone to from here is not there yet. */
export const isLeaving = (): boolean => globalThis.__left === window.location.href

/** Forgets that one was gone to. */
export const stay = (): void => {
  globalThis.__left = undefined
}
