import 'server-only'

/**
 * Number of forged deliveries that a network may send per minute. Further ones are answered with
 * `too_many`.
 */
const maxForgedDeliveries = 300
const windowMs = 60_000
/** Maximum number of networks that are counted at the same time. */
const maxNetworks = 10_000

type ForgedCount = { tries: number; endsAt: number }
const forgedCounts = new Map<string, ForgedCount>()

/**
 * Counts a forged delivery. Returns the seconds until the window ends if the network is over the
 * limit, otherwise null.
 */
export function countForgedDelivery(network: string): number | null {
  const now = performance.now()
  const storedCount = forgedCounts.get(network)
  const count =
    storedCount && storedCount.endsAt > now ? storedCount : { tries: 0, endsAt: now + windowMs }
  if (forgedCounts.size >= maxNetworks && !storedCount) forgedCounts.clear()
  forgedCounts.set(network, { ...count, tries: count.tries + 1 })
  return count.tries < maxForgedDeliveries ? null : Math.ceil((count.endsAt - now) / 1000)
}
