import type { Random } from '@/sandbox/store/random'

const anchor = Date.UTC(2024, 0, 1)
const dayInMs = 86_400_000

export const seededDays = 90

/**
 * The seeded period, and a function that creates ids. The period ends at the clock's current time, so that ages are right at any start.
 * Times in ids start at a fixed date instead, so that the same seed number gives the same ids on every machine and day.
 */
export type SeedTime = { start: number; end: number; id: (random: Random, at: number) => string }

export function makeSeedTime(now: number): SeedTime {
  const start = now - seededDays * dayInMs
  return { start, end: now, id: (random, at) => random.uuid(anchor + (at - start)) }
}
