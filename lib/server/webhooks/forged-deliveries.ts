import 'server-only'

/** Maximum per network and minute. Further forged deliveries get the response `too_many`. */
const maxForgedDeliveries = 300
const windowMs = 60_000
const maxNetworks = 10_000

type ForgedDeliveryCount = { tries: number; endsAt: number }
const forgedDeliveryCounts = new Map<string, ForgedDeliveryCount>()

/** If the network is over the limit, returns the seconds until the window ends, else null. */
export function countForgedDelivery(network: string): number | null {
  const now = performance.now()
  const storedCount = forgedDeliveryCounts.get(network)
  const currentCount =
    storedCount && storedCount.endsAt > now ? storedCount : { tries: 0, endsAt: now + windowMs }
  if (forgedDeliveryCounts.size >= maxNetworks && !storedCount) forgedDeliveryCounts.clear()
  forgedDeliveryCounts.set(network, { ...currentCount, tries: currentCount.tries + 1 })
  return currentCount.tries < maxForgedDeliveries
    ? null
    : Math.ceil((currentCount.endsAt - now) / 1000)
}
