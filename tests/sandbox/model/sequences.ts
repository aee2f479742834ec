import fc from 'fast-check'
import { test } from 'vitest'
import { sampleItems } from '@/tests/sandbox/sample'

/**
 * Seed from which fast-check generates the sequences. A full run uses all of them. A short run uses
 * a sample, chosen by the seed of that run.
 */
const sequenceSeed = 20_300_131

/**
 * Number of sequences in a short run (`some`) and in a full run (`all`). All files together have
 * 2,000 in a full run, which takes four minutes. Only a full run reaches every move of a state
 * machine, so that check is a `testInFullRun`.
 */
export type SequenceCounts = { some: number; all: number }

/**
 * Defines one test that runs random sequences. Each has its own start value and eight to twelve
 * steps. If a sequence fails, fast-check shortens it before printing it.
 */
export function testSequences<Start, Step>(
  subjectName: string,
  counts: SequenceCounts,
  { start, step }: { start: fc.Arbitrary<Start>; step: fc.Arbitrary<Step> },
  runSequence: (start: Start, steps: readonly Step[]) => Promise<void>,
): void {
  const stepsArbitrary = fc.array(step, { minLength: 8, maxLength: 12 })
  const sampledSequences = sampleItems(
    fc.sample(fc.tuple(start, stepsArbitrary), { seed: sequenceSeed, numRuns: counts.all }),
    counts.some,
  )
  test(`${sampledSequences.length} random sequences of ${subjectName} follow the table`, {
    timeout: 600_000,
  }, async () => {
    await fc.assert(fc.asyncProperty(start, stepsArbitrary, runSequence), {
      seed: sequenceSeed,
      examples: sampledSequences,
      numRuns: sampledSequences.length,
    })
  })
}
