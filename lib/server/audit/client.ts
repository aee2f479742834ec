import 'server-only'
import { isIP } from 'node:net'
import { toPseudonym } from '@/lib/server/store/hashes'
import type { AuditEntry } from './chain'

/** Our HTTP server sets this header for the handlers, and removes it if a client sends it. */
export const clientAddressHeader = 'x-paydesk-address'

const mappedIpv4Pattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Removes spaces and zone, and turns an IPv4-mapped IPv6 address into IPv4. */
function parseAddress(text: string | undefined): string | null {
  const trimmedAddress = text?.trim().replace(/%.*$/, '') ?? ''
  const plainAddress = mappedIpv4Pattern.exec(trimmedAddress)?.[1] ?? trimmedAddress
  return isIP(plainAddress) === 0 ? null : plainAddress.toLowerCase()
}

/** Some load balancers append a port to the address. */
const parseForwardedEntry = (entry: string): string | null =>
  parseAddress(entry) ??
  parseAddress(/^\s*\[([^\]]+)\](?::\d+)?\s*$/.exec(entry)?.[1]) ??
  parseAddress(/^\s*([\d.]+):\d+\s*$/.exec(entry)?.[1])

/**
 * Each trusted proxy appends one entry to `X-Forwarded-For`. The entry of the outermost proxy names
 * the client, who can forge only the entries to its left. If the entry is missing or unreadable, or
 * no proxy is trusted, returns the socket's address.
 */
export function getClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | null {
  const forwardedEntry =
    trustedProxies > 0 ? forwardedFor?.split(',').at(-trustedProxies) : undefined
  return (
    (forwardedEntry === undefined ? null : parseForwardedEntry(forwardedEntry)) ??
    parseAddress(socketAddress)
  )
}

/** Null if the request did not pass through our HTTP server, as in a unit test. */
export const readClientAddress = (headers: Headers): string | null =>
  parseAddress(headers.get(clientAddressHeader) ?? undefined)

/** Expands `::` and a dotted tail. */
function parseIpv6Groups(address: string): number[] {
  const dottedMatch = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, before = '', ...bytes] = dottedMatch ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  const hexAddress = dottedMatch
    ? `${before}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
    : address
  const [head = '', tail] = hexAddress.split('::')
  const parseGroups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [parseGroups(head), parseGroups(tail ?? '')]
  return tail === undefined
    ? first
    : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** A network is /24 of IPv4, or /56 of IPv6, which providers assign to one customer. */
export function toNetworkPrefix(address: string): string {
  const ipAddress = parseAddress(address)
  if (ipAddress === null) return 'unknown'
  if (isIP(ipAddress) === 4) return `${ipAddress.split('.').slice(0, 3).join('.')}.0/24`
  const [a = 0, b = 0, c = 0, d = 0] = parseIpv6Groups(ipAddress)
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`
}

/** Keyed hashes of the client's address and network; empty if unknown. */
export type ClientOrigin = { address?: string; network?: string }

/** A keyed hash of 128 bits, which are enough to distinguish addresses. */
const toShortHash = (kind: string, value: string) => toPseudonym(`${kind}/${value}`).slice(0, 32)

export function readClientOrigin(headers: Headers): ClientOrigin {
  const address = readClientAddress(headers)
  return address
    ? {
        address: toShortHash('address', address),
        network: toShortHash('network', toNetworkPrefix(address)),
      }
    : {}
}

export type RequestActor = { id: string; sessionHash: string; client?: ClientOrigin }

export const toActorFields = (
  actor: RequestActor,
): Pick<AuditEntry, 'actor' | 'session' | 'address' | 'network'> => ({
  actor: actor.id,
  session: actor.sessionHash,
  ...actor.client,
})
