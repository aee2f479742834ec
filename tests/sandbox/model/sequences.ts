import fc from 'fast-check'
import { test } from 'vitest'
import { sampled } from '@/tests/sandbox/sample'

/** A full run always uses the same sequences. A short run selects some, by its own seed. */
const seed = 20_300_131

/**
 * Number of sequences in a short run (`some`) and in a full one. `all` of all files together are 2,000 and take four minutes. Only they
 * reach every move of a table, so that is a `fullTest`.
 */
export type Counts = { some: number; all: number }

/**
 * Defines one test of random sequences: each has its own start and eight to twelve steps. fast-check shortens a failing sequence before
 * printing it.
 */
export function testSequences<Start, Step>(
  of: string,
  counts: Counts,
  { start, step }: { start: fc.Arbitrary<Start>; step: fc.Arbitrary<Step> },
  follow: (start: Start, steps: readonly Step[]) => Promise<void>,
): void {
  const steps = fc.array(step, { minLength: 8, maxLength: 12 })
  const examples = sampled(fc.sample(fc.tuple(start, steps), { seed, numRuns: counts.all }), counts.some)
  test(`${examples.length} random sequences of ${of} keep to the table`, { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(start, steps, follow), { seed, examples, numRuns: examples.length })
  })
}
