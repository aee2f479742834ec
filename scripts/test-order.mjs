import { basename } from 'node:path'
import { BaseSequencer } from 'vitest/node'

/** The files that take longest, most of it waiting for schedules and processes of their own: what begins last decides when the run ends. */
const longest = [
  'decided-by-another',
  'erasure',
  'encryption-keys',
  'upload-slots',
  'sign-in-strangers',
  'action-log',
  'sign-in',
  'roles',
  'decisions',
  'rate-limit',
  'unclear',
  'settings',
  'start',
  'pglite',
  'durability',
].map((name) => `${name}.test.ts`)

const rankOf = ({ moduleId }) => {
  const at = longest.indexOf(basename(moduleId))
  return at < 0 ? longest.length : at
}

/**
 * Begins each project with its longest files and goes through all projects side by side, so that files that wait for servers of their own share
 * the machine with those that are bound by the processor.
 */
export class TestOrder extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files)
    const placed = [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project).sort((one, other) => rankOf(one) - rankOf(other))
      return own.map((file, at) => ({ file, place: at / own.length }))
    })
    return placed.sort((one, other) => one.place - other.place).map(({ file }) => file)
  }
}
