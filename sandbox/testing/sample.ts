import { inject, test } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    isFull: boolean
    seed: number
  }
}

/** Whether this is `npm run test:full`, which tries every case; `npm test` tries a sample. */
export const isFull = inject('isFull')

/** A test of the full run alone; `npm test` does not know it. */
export function fullTest(...named: [name: string, check: () => void | Promise<void>]): void {
  if (isFull) test(...named)
}

/** What the sample of this run is drawn by. `npm test` prints it; `TEST_SEED` set to the same number draws the same again. */
const seed = inject('seed')

/** Numbers from 0 to below 1 that follow from the seed: a linear congruential generator, good enough to draw a sample. */
function numbersFrom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** All of them in an order drawn by the seed of the run. */
function shuffled<T>(all: readonly T[]): T[] {
  const next = numbersFrom(seed)
  return all
    .map((one) => ({ one, rank: next() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ one }) => one)
}

/** All of them in a full run, else `size` of them, in their order, drawn by the seed of the run. */
export function sampled<T>(all: readonly T[], size: number): T[] {
  if (isFull || size >= all.length) return [...all]
  const drawn = new Set(shuffled(all.map((_, at) => at)).slice(0, size))
  return all.filter((_, at) => drawn.has(at))
}

/**
 * All of them in a full run, else `size` of each kind that each of `kindsOf` returns, in their order, drawn by the seed of the run. So a fault in one kind fails
 * every run, whatever the seed.
 */
export function sampledOfEach<T>(all: readonly T[], size: number, ...kindsOf: ((one: T) => string)[]): T[] {
  if (isFull) return [...all]
  const drawn = new Set<T>()
  for (const kindOf of kindsOf) {
    const counts = new Map<string, number>()
    for (const one of shuffled(all)) {
      const count = counts.get(kindOf(one)) ?? 0
      if (count < size) drawn.add(one)
      counts.set(kindOf(one), count + 1)
    }
  }
  return all.filter((one) => drawn.has(one))
}
