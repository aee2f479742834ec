declare global {
  /** The address that the router left last; until the page it goes to is there, it is still the address of the window. */
  var leftUrl: string | undefined
}

/** Whether a page that was gone to from here is not there yet. */
export const isLeaving = (): boolean => globalThis.leftUrl === window.location.href

/** Forgets that one was gone to. */
export const stay = (): void => {
  globalThis.leftUrl = undefined
}
