import 'server-only'

/** Forged deliveries of one network that are told what is wrong with them in a minute, and the networks that are counted. */
const allowed = 300
const windowMs = 60_000
const mostNetworks = 10_000

type Count = { tries: number; endsAt: number }
const counts = new Map<string, Count>()

/** Counts a delivery of a network that turned out not to be genuine. Gives the seconds for which it sent too many; null where it did not. */
export function countForged(network: string): number | null {
  const now = performance.now()
  const known = counts.get(network)
  const count = known && known.endsAt > now ? known : { tries: 0, endsAt: now + windowMs }
  if (counts.size >= mostNetworks && !known) counts.clear()
  counts.set(network, { ...count, tries: count.tries + 1 })
  return count.tries < allowed ? null : Math.ceil((count.endsAt - now) / 1000)
}
