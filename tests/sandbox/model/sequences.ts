import fc from 'fast-check'
import { test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'

/** Seed of the sequences. A full run uses all of them. A short run uses some, chosen by the seed of that run. */
const seed = 20_300_131

/**
 * Number of sequences in a short run (`some`) and in a full run (`all`). All files together have 2,000 in a full run, which takes four
 * minutes. Only a full run reaches every move of a state machine, so that check is a `fullTest`.
 */
export type SequenceCounts = { some: number; all: number }

/**
 * Defines one test that runs random sequences. Each has its own start and eight to twelve steps. If one fails, fast-check shortens it
 * before printing it.
 */
export function testSequences<Start, Step>(
  of: string,
  counts: SequenceCounts,
  { start, step }: { start: fc.Arbitrary<Start>; step: fc.Arbitrary<Step> },
  follow: (start: Start, steps: readonly Step[]) => Promise<void>,
): void {
  const steps = fc.array(step, { minLength: 8, maxLength: 12 })
  const examples = sampleItems(fc.sample(fc.tuple(start, steps), { seed, numRuns: counts.all }), counts.some)
  test(`${examples.length} random sequences of ${of} follow the table`, { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(start, steps, follow), { seed, examples, numRuns: examples.length })
  })
}
