import type { Random } from '@/sandbox/store/random'

const anchor = Date.UTC(2024, 0, 1)
const dayInMs = 86_400_000

export const seededDays = 90

/**
 * The seeded stretch of time: it ends at the clock's now, so ages look right whenever somebody starts. Ids must be the same for the same
 * seed number, so their time part counts from a fixed anchor instead: same order, same ids, on every machine and day.
 */
export type SeedTime = { start: number; end: number; id: (random: Random, at: number) => string }

/** The stretch that ends at `now` (milliseconds). */
export function seedTimeUntil(now: number): SeedTime {
  const start = now - seededDays * dayInMs
  return { start, end: now, id: (random, at) => random.uuid(anchor + (at - start)) }
}
