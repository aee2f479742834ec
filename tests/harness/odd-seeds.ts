import { sampleItems } from '@/tests/sandbox/sample'

const allSeeds = Array.from({ length: 1000 }, (_, at) => at + 1)

/** Returns the seeds of a run: all thousand in a full run, otherwise `some` of them. */
export const sampleOddSeeds = (some: number): number[] => sampleItems(allSeeds, some)
