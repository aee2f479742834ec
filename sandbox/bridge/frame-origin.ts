/** Any origin on this machine, for an app under development. IPv6 addresses are excluded: CSP cannot name them. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

type Arrival = { referer: string | undefined; destination: string | undefined }

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return 'null'
  }
}

/**
 * Returns the origin that frames the hosted page: the one in the address, or else the referrer's. Undefined for a page opened on its own:
 * the page that linked to it exchanges no messages.
 */
export function frameOrigin(requested: string | undefined, { referer, destination }: Arrival): string | undefined {
  if (requested !== undefined) return requested
  if (destination === 'document' || referer === undefined || referer === '') return undefined
  return originOf(referer)
}

/** True if an origin may frame the page and receive its messages: a configured one or, without any, one on this machine. */
export const mayFrame = (origin: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 ? loopback.test(origin) : allowed.includes(origin)
