import { type RoundResult, startRoundRunner } from './round'

/**
 * The size of a run: `seeds` seeds from `first`, shared among `desks` dashboards. Each seed opens
 * every `pages`-th page and sends every `writes`-th write, so 1 means all of them.
 */
export type ChaosPlan = {
  seeds: number
  first: number
  desks: number
  pages: number
  writes: number
}

export type ChaosVerdict = {
  seeds: number
  pages: number
  applied: number
  refused: number
  seconds: number
  refusals: string[]
  faults: string[]
}

const seedsPerReport = 50

export function tally(lines: readonly string[]): [line: string, count: number][] {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

/**
 * Runs all seeds. For each, the service sends odd responses (unexpected types, values and fields)
 * while the run opens pages and sends writes. Prints progress and faults with `say`. Returns the
 * totals of all seeds.
 */
export async function oddRounds(
  { seeds, first, desks, pages, writes }: ChaosPlan,
  say: (line: string) => void,
): Promise<ChaosVerdict> {
  const startedAt = performance.now()
  const verdict: ChaosVerdict = {
    seeds: 0,
    pages: 0,
    applied: 0,
    refused: 0,
    seconds: 0,
    refusals: [],
    faults: [],
  }
  let nextSeed = first

  function addRound(round: RoundResult): void {
    verdict.seeds += 1
    verdict.pages += round.pages
    verdict.applied += round.applied
    verdict.refused += round.refused
    verdict.refusals.push(...round.refusals)
    verdict.faults.push(...round.faults.map((fault) => `seed ${round.seed}: ${fault}`))
    for (const fault of round.faults) say(`seed ${round.seed}: ${fault}`)
    if (verdict.seeds % seedsPerReport > 0) return
    const { applied, refused, faults } = verdict
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    say(
      `${verdict.seeds} seeds in ${seconds} s: ${verdict.pages} pages, ${applied} writes applied, ${refused} refused, ${faults.length} faults`,
    )
  }

  async function runSeeds(): Promise<void> {
    const roundRunner = await startRoundRunner()
    try {
      while (nextSeed < first + seeds) {
        const seed = nextSeed
        nextSeed += 1
        addRound(await roundRunner.run(seed, { pages, writes }))
      }
    } finally {
      await roundRunner.stop()
    }
  }

  await Promise.all(Array.from({ length: desks }, runSeeds))
  return { ...verdict, seconds: (performance.now() - startedAt) / 1000 }
}
