import { sampleItems } from '@/tests/sandbox/sample'

const allSeeds = Array.from({ length: 1000 }, (_, at) => at + 1)

/**
 * Returns seeds for the tests of odd service responses: a thousand in a full run, otherwise a
 * sample of the given size.
 */
export const sampleConverterSeeds = (sampleSize: number): number[] =>
  sampleItems(allSeeds, sampleSize)
