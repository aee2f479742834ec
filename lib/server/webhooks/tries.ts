import 'server-only'

/** Deliveries of one network that may be refused in a minute before the next is refused unread, and the networks that are counted. */
const allowed = 300
const windowMs = 60_000
const mostNetworks = 10_000

type Count = { tries: number; endsAt: number }
const counts = new Map<string, Count>()

/**
 * Takes one of a network's tries before anything of its delivery is read; what turns out genuine gives it back. Gives the seconds to wait where none is
 * left, else null.
 */
export function takeTry(network: string): number | null {
  const now = performance.now()
  const known = counts.get(network)
  const count = known && known.endsAt > now ? known : { tries: 0, endsAt: now + windowMs }
  if (count.tries >= allowed) return Math.ceil((count.endsAt - now) / 1000)
  if (counts.size >= mostNetworks && !known) counts.clear()
  counts.set(network, { ...count, tries: count.tries + 1 })
  return null
}

export function giveTryBack(network: string): void {
  const count = counts.get(network)
  if (count && count.tries > 0) counts.set(network, { ...count, tries: count.tries - 1 })
}
