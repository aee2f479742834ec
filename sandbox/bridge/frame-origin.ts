/** Any origin on this machine, which is where a desk under development runs. An IPv6 address is none: CSP cannot name it. */
const loopback = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

/** The headers that tell where the hosted page is opened. */
type Arrival = { referer: string | undefined; destination: string | undefined }

function originOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return 'null'
  }
}

/**
 * The origin that frames the hosted page: what the address says, else where the request comes from. Undefined for a page that is opened by
 * itself: whoever linked to it is not in touch with it.
 */
export function frameOrigin(requested: string | undefined, { referer, destination }: Arrival): string | undefined {
  if (requested !== undefined) return requested
  if (destination === 'document' || referer === undefined || referer === '') return undefined
  return originOf(referer)
}

/** Whether an origin may frame the page and hear its messages: one of those given at the start, or without any, one of this machine. */
export const mayFrame = (origin: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 ? loopback.test(origin) : allowed.includes(origin)
