import type { Random } from '@/sandbox/store/random'

const idStartTimeMs = Date.UTC(2024, 0, 1)
const dayMs = 86_400_000

export const seededDayCount = 90

/**
 * The period ends at the clock's time, so that seeded payments are always recent. Times in ids
 * count from a fixed date, so that a seed gives the same ids on every machine and day.
 */
export type SeedTime = { start: number; end: number; id: (random: Random, at: number) => string }

export function makeSeedTime(now: number): SeedTime {
  const start = now - seededDayCount * dayMs
  return { start, end: now, id: (random, at) => random.uuid(idStartTimeMs + (at - start)) }
}
