import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    isFull: boolean
    seed: number
  }
}

/** Whether this is `npm run test:full`, which tries every case; `npm test` tries a sample. */
export const isFull = inject('isFull')

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

/** All of them in a full run, else `size` of them, in their order, drawn by the seed of the run. */
export function sampled<T>(all: readonly T[], size: number): T[] {
  if (isFull || size >= all.length) return [...all]
  const next = numbersFrom(seed)
  const drawn = new Set(
    all
      .map((_, at) => ({ at, rank: next() }))
      .sort((one, other) => one.rank - other.rank)
      .slice(0, size)
      .map(({ at }) => at),
  )
  return all.filter((_, at) => drawn.has(at))
}
