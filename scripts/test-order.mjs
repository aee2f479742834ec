import { createHash } from 'node:crypto'
import { BaseSequencer } from 'vitest/node'

/**
 * Number of files per project that start first. They are the slowest ones: a slow file that starts
 * last would delay the end of the run.
 */
const slowFileCount = 12

/** Returns a key by which files are sorted randomly. The same seed gives the same order. */
const toSortKey = ({ moduleId }) =>
  createHash('sha256')
    .update(`${process.env.TEST_SEED ?? 1} ${moduleId}`)
    .digest('hex')

/**
 * Sorts by project: when the project changes, vitest ends its workers, and with them the servers
 * that test files share. The slowest files are first, the others are shuffled.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sortedFiles = await super.sort(files)
    return [...new Set(sortedFiles.map(({ project }) => project))].flatMap((project) => {
      const projectFiles = sortedFiles.filter((file) => file.project === project)
      const shuffledFiles = projectFiles
        .slice(slowFileCount)
        .sort((one, other) => toSortKey(one).localeCompare(toSortKey(other)))
      return [...projectFiles.slice(0, slowFileCount), ...shuffledFiles]
    })
  }
}
