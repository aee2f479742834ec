import type { Random } from '@/sandbox/store/random'

const idTimeOriginMs = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

export const seededDayCount = 90

/**
 * The period of the seeded payments. It ends at the time of the clock, so that seeded payments are
 * always recent. Times in ids count from a fixed date, so that a seed gives the same ids on every
 * machine and day.
 */
export type SeedTime = { start: number; end: number; id: (random: Random, at: number) => string }

export function makeSeedTime(now: number): SeedTime {
  const periodStart = now - seededDayCount * dayMs
  return {
    start: periodStart,
    end: now,
    id: (random, at) => random.uuid(idTimeOriginMs + (at - periodStart)),
  }
}
