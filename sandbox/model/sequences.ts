import fc from 'fast-check'
import { test } from 'vitest'

/** Always the same, so that a run that fails fails again. */
const seed = 20_300_131

/**
 * One test of `count` random sequences: each begins with its own start and takes eight to twelve steps. fast-check makes a failing sequence
 * short before it prints it.
 */
export function testSequences<Start, Step>(
  of: string,
  count: number,
  { start, step }: { start: fc.Arbitrary<Start>; step: fc.Arbitrary<Step> },
  walk: (start: Start, steps: readonly Step[]) => Promise<void>,
): void {
  test(`${count} random sequences of ${of} keep to the table (seed ${seed})`, { timeout: 600_000 }, async () => {
    const steps = fc.array(step, { minLength: 8, maxLength: 12 })
    await fc.assert(fc.asyncProperty(start, steps, walk), { seed, numRuns: count })
  })
}
