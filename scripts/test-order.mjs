import { createHash } from 'node:crypto'
import { BaseSequencer } from 'vitest/node'

/** So many files of each project begin first, the longest first: what begins last decides when the run ends. */
const first = 12

/** A rank that follows from the seed of the run alone. */
const rankOf = ({ moduleId }) =>
  createHash('sha256')
    .update(`${process.env.TEST_SEED ?? 1} ${moduleId}`)
    .digest('hex')

/**
 * One project after the other: vitest ends a worker when the next file is of another project, and what the files of a worker share ends with it. Each
 * begins with its longest files: by the durations of the last run, which vitest keeps, or by their size. The others come in an order drawn by the seed of
 * the run.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      const others = own.slice(first).sort((one, other) => rankOf(one).localeCompare(rankOf(other)))
      return [...own.slice(0, first), ...others]
    })
  }
}
