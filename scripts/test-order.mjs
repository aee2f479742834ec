import { createHash } from 'node:crypto'
import { BaseSequencer } from 'vitest/node'

/** Number of files per project that start first, the slowest ones: the file that starts last decides when the run ends. */
const first = 12

/** A rank that depends only on the file and the seed of the run. */
const rankOf = ({ moduleId }) =>
  createHash('sha256')
    .update(`${process.env.TEST_SEED ?? 1} ${moduleId}`)
    .digest('hex')

/**
 * Runs one project after the other: vitest ends a worker when the next file belongs to another project, and with it what its files share.
 * Each project starts with its slowest files, by the durations that vitest stored in the last run, or by size. The order of the others is
 * drawn with the seed of the run.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const projectFiles = sorted.filter((file) => file.project === project)
      const shuffledFiles = projectFiles.slice(first).sort((one, other) => rankOf(one).localeCompare(rankOf(other)))
      return [...projectFiles.slice(0, first), ...shuffledFiles]
    })
  }
}
