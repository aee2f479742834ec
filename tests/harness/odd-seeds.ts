import { sampled } from '@/sandbox/testing/sample'

const all = Array.from({ length: 1000 }, (_, at) => at + 1)

/** The seeds of oddness a run takes: all thousand in a full one, else some of them. */
export const oddSeeds = (some: number): number[] => sampled(all, some)
