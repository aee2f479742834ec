import 'server-only'
import { isIP } from 'node:net'
import { pseudonym } from '@/lib/server/store/hashes'
import type { AuditEntry } from './chain'

/** The request header in which our own HTTP server hands on the client's address. What a client sends under this name never arrives. */
export const addressHeader = 'x-paydesk-address'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An address in its plain form: an IPv4 address that came over an IPv6 socket is an IPv4 address. Null for what is none. */
function plain(text: string | undefined): string | null {
  const address = text?.trim().replace(/%.*$/, '') ?? ''
  const candidate = mapped.exec(address)?.[1] ?? address
  return isIP(candidate) === 0 ? null : candidate.toLowerCase()
}

/** One entry of `X-Forwarded-For`; some load balancers append the port. */
const fromEntry = (entry: string): string | null =>
  plain(entry) ?? plain(/^\s*\[([^\]]+)\](?::\d+)?\s*$/.exec(entry)?.[1]) ?? plain(/^\s*([\d.]+):\d+\s*$/.exec(entry)?.[1])

/**
 * The client's address: the socket's own, or with trusted proxies in front the entry that the outermost of them wrote into `X-Forwarded-For`.
 * Entries further left are the client's to invent. A request that came past the proxies, or with an unreadable entry, counts by its socket.
 */
export function clientAddress(socketAddress: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string | null {
  const entry = trustedProxies > 0 ? forwardedFor?.split(',').at(-trustedProxies) : undefined
  return (entry === undefined ? null : fromEntry(entry)) ?? plain(socketAddress)
}

/** The checked address of the client behind a request; null where our HTTP server was not in front, as in a unit test. */
export const addressOf = (headers: Headers): string | null => plain(headers.get(addressHeader) ?? undefined)

/** The eight groups of an IPv6 address, `::` and a dotted tail written out. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, before = '', ...bytes] = dotted ?? []
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  const text = dotted ? `${before}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}` : address
  const [head = '', tail] = text.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [read(head), read(tail ?? '')]
  return tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** The network that limits count an address by: /24 of IPv4, /56 of IPv6, which is what one customer of a provider is given. */
export function networkOf(address: string): string {
  const known = plain(address)
  if (known === null) return 'unknown'
  if (isIP(known) === 4) return `${known.split('.').slice(0, 3).join('.')}.0/24`
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(known)
  return `${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`
}

/** Where a request came from as audit rows say it: keyed hashes of the client's address and of its network; empty where it is not known. */
export type Client = { address?: string; network?: string }

/** 128 bits are enough to tell addresses apart. */
const short = (kind: string, value: string) => pseudonym(`${kind}/${value}`).slice(0, 32)

/** The client behind the headers of a request. The hash of the network tells that two addresses are neighbours, and nothing else does. */
export function clientOf(headers: Headers): Client {
  const address = addressOf(headers)
  return address ? { address: short('address', address), network: short('network', networkOf(address)) } : {}
}

/** Of a signed-in person, what audit rows say. */
export type Doer = { id: string; sessionHash: string; client?: Client }

/** What every row of what a person did says of them: who, in which session, from where. */
export const doneBy = (actor: Doer): Pick<AuditEntry, 'actor' | 'session' | 'address' | 'network'> => ({
  actor: actor.id,
  session: actor.sessionHash,
  ...actor.client,
})
