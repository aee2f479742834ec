const all = 1000

/**
 * The seeds of oddness a run takes: all thousand with `ODD_SEEDS=all`, as the project's own check does; elsewhere `some` of them, others each day.
 */
export function oddSeeds(some: number): number[] {
  const seeds = Array.from({ length: all }, (_, at) => at + 1)
  if (process.env.ODD_SEEDS === 'all') return seeds
  const parts = Math.ceil(all / some)
  const today = Math.floor(Date.now() / 86_400_000) % parts
  return seeds.filter((seed) => seed % parts === today)
}
