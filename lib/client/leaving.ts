/** The address that the router left last (`from`): until the page it goes to is there, it is still the address of the window. */
export const leaving = { from: '' }

/** Notes that the router goes to another address. */
export function noteLeaving(url: string): void {
  const { href } = window.location
  if (new URL(url, href).href !== href) leaving.from = href
}
