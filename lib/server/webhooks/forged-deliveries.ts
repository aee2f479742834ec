import 'server-only'

/** Per network and minute. Further ones are answered with `too_many`. */
const maxForgedDeliveries = 300
const windowMs = 60_000
const maxNetworks = 10_000

type ForgedCount = { tries: number; endsAt: number }
const forgedCounts = new Map<string, ForgedCount>()

/** If the network is over the limit, returns the seconds until the window ends, else null. */
export function countForgedDelivery(network: string): number | null {
  const now = performance.now()
  const storedCount = forgedCounts.get(network)
  const currentCount =
    storedCount && storedCount.endsAt > now ? storedCount : { tries: 0, endsAt: now + windowMs }
  if (forgedCounts.size >= maxNetworks && !storedCount) forgedCounts.clear()
  forgedCounts.set(network, { ...currentCount, tries: currentCount.tries + 1 })
  return currentCount.tries < maxForgedDeliveries
    ? null
    : Math.ceil((currentCount.endsAt - now) / 1000)
}
