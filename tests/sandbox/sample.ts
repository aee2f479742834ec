import { inject, test } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    isFull: boolean
    seed: number
  }
}

/** True in `npm run test:full`, which runs all cases. `npm test` runs a sample of them. */
export const isFullRun = inject('isFull')

/** Defines a test for the full run only. */
export function testInFullRun(...named: [name: string, check: () => void | Promise<void>]): void {
  if (isFullRun) test(...named)
}

/**
 * Seed of this run's sample. `npm test` prints it. Setting `TEST_SEED` to that number repeats the
 * sample.
 */
const seed = inject('seed')

/**
 * Returns a random generator for numbers in [0, 1): linear congruential, sufficient for sampling.
 * The same start gives the same numbers.
 */
function createRandomGenerator(startValue: number): () => number {
  let state = startValue >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffleItems<T>(items: readonly T[]): T[] {
  const nextRandom = createRandomGenerator(seed)
  return items
    .map((one) => ({ one, rank: nextRandom() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ one }) => one)
}

/**
 * Returns all items in a full run. Otherwise returns `size` of them in their order, chosen by the
 * run's seed.
 */
export function sampleItems<T>(items: readonly T[], size: number): T[] {
  if (isFullRun || size >= items.length) return [...items]
  const sampledIndexes = new Set(shuffleItems(items.map((_, at) => at)).slice(0, size))
  return items.filter((_, at) => sampledIndexes.has(at))
}

/**
 * Returns all items in a full run. Otherwise returns `size` items of each kind, in their order,
 * chosen by the run's seed. `kindsOf` are functions that return an item's kind. An error that
 * affects a whole kind thus fails every run, with any seed.
 */
export function sampleOfEachKind<T>(
  items: readonly T[],
  size: number,
  ...kindsOf: ((one: T) => string)[]
): T[] {
  if (isFullRun) return [...items]
  const sampledItems = new Set<T>()
  for (const getKind of kindsOf) {
    const sampledCountByKind = new Map<string, number>()
    for (const item of shuffleItems(items)) {
      const sampledCount = sampledCountByKind.get(getKind(item)) ?? 0
      if (sampledCount < size) sampledItems.add(item)
      sampledCountByKind.set(getKind(item), sampledCount + 1)
    }
  }
  return items.filter((one) => sampledItems.has(one))
}
