import 'server-only'

/** Forged deliveries that a network may send per minute without `too_many`, and the maximum number of counted networks. */
const allowed = 300
const windowMs = 60_000
const mostNetworks = 10_000

type Count = { tries: number; endsAt: number }
const counts = new Map<string, Count>()

/** Counts a forged delivery. Returns the seconds until the window ends if the network is over the limit, otherwise null. */
export function countForged(network: string): number | null {
  const now = performance.now()
  const storedCount = counts.get(network)
  const count = storedCount && storedCount.endsAt > now ? storedCount : { tries: 0, endsAt: now + windowMs }
  if (counts.size >= mostNetworks && !storedCount) counts.clear()
  counts.set(network, { ...count, tries: count.tries + 1 })
  return count.tries < allowed ? null : Math.ceil((count.endsAt - now) / 1000)
}
