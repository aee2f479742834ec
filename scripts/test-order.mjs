import { createHash } from 'node:crypto'
import { BaseSequencer } from 'vitest/node'

/** Number of files per project that start first. These are the slowest files, so that a run does not wait for a slow file at its end. */
const slowFileCount = 12

/** Returns a sort key that depends only on the file and the seed of the run. */
const toRank = ({ moduleId }) =>
  createHash('sha256')
    .update(`${process.env.TEST_SEED ?? 1} ${moduleId}`)
    .digest('hex')

/**
 * Sorts the test files by project, because vitest ends a worker, and with it what its files share, when the project changes. Each project
 * starts with its slowest files, by their durations in the last run or else by size. The other files are shuffled with the seed of the run.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sortedFiles = await super.sort(files)
    return [...new Set(sortedFiles.map(({ project }) => project))].flatMap((project) => {
      const projectFiles = sortedFiles.filter((file) => file.project === project)
      const shuffledFiles = projectFiles.slice(slowFileCount).sort((one, other) => toRank(one).localeCompare(toRank(other)))
      return [...projectFiles.slice(0, slowFileCount), ...shuffledFiles]
    })
  }
}
