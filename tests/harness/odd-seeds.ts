import { sampleItems } from '@/tests/sandbox/sample'

const all = Array.from({ length: 1000 }, (_, at) => at + 1)

/** Returns the seeds of a run: all thousand in a full run, otherwise `some` of them. */
export const oddSeeds = (some: number): number[] => sampleItems(all, some)
