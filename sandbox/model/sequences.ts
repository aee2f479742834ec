import fc from 'fast-check'
import { test } from 'vitest'
import { isFull } from '@/sandbox/testing/sample'

/** Always the same, so that a run that fails fails again. */
const seed = 20_300_131

/** How many sequences a run takes: `some` come to every move of the table, `all` of all files together are 2,000 and take four minutes of `npm run test:full`. */
export type Counts = { some: number; all: number }

/**
 * One test of random sequences: each begins with its own start and takes eight to twelve steps. fast-check makes a failing sequence short before
 * it prints it.
 */
export function testSequences<Start, Step>(
  of: string,
  counts: Counts,
  { start, step }: { start: fc.Arbitrary<Start>; step: fc.Arbitrary<Step> },
  follow: (start: Start, steps: readonly Step[]) => Promise<void>,
): void {
  const numRuns = counts[isFull ? 'all' : 'some']
  test(`${numRuns} random sequences of ${of} keep to the table (seed ${seed})`, { timeout: 600_000 }, async () => {
    const steps = fc.array(step, { minLength: 8, maxLength: 12 })
    await fc.assert(fc.asyncProperty(start, steps, follow), { seed, numRuns })
  })
}
