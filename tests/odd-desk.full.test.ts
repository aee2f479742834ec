import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPageFolders } from '@/chaos/odd/pages'
import { type RoundRunner, startRoundRunner } from '@/chaos/odd/round'

/**
 * Number of seeds in a run, from which the unusual responses of the service are generated. The
 * seeds change every day. Each seed tests a share of the pages and writes, and together they test
 * all. `npm run chaos -- odd` runs a thousand seeds.
 */
const seedCount = 4
const firstSeed = (Math.floor(Date.now() / 86_400_000) % 250) * seedCount + 1

let oddRoundRunner: RoundRunner
beforeAll(async () => {
  oddRoundRunner = await startRoundRunner()
})
afterAll(() => oddRoundRunner?.stop())

test('the list of tested pages is complete', () => {
  expect(Object.keys(oddRoundRunner.pagesAt(1)).sort()).toEqual(findPageFolders().sort())
})

test.each(Array.from({ length: seedCount }, (_, at) => firstSeed + at))(
  'seed %i: pages render, and exactly the writes that the service applied are shown as applied',
  async (seed) => {
    const { faults, pages, applied } = await oddRoundRunner.run(seed, {
      pages: seedCount,
      writes: seedCount,
    })
    expect(faults).toEqual([])
    expect(pages).toBeGreaterThan(8)
    expect(applied).toBeGreaterThan(5)
  },
)
