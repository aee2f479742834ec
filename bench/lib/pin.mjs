import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * CPU cores: `subject` for the server under test, `rest` for everything else. `either` is both, for a server that works only while its one
 * client waits.
 */
export const cores = { subject: 0, rest: 1, either: '0-1' }

/** Pins this process and all its threads to `core`. Returns false if there is no `taskset` or only one core. */
export function pinSelf(core = cores.rest) {
  if (core !== cores.either && availableParallelism() < 2) return false
  return spawnSync('taskset', ['-acp', String(core), String(process.pid)]).status === 0
}

/** Returns the command that runs Node on one core, or on any core without `core`. */
export const nodeOn = (core) => (core === undefined ? [process.execPath, []] : ['taskset', ['-c', String(core), process.execPath]])
