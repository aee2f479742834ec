import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Core of the server under test, core of everything else, and both, for a server that works only while its one client waits. */
export const cores = { subject: 0, rest: 1, either: '0-1' }

/** Puts this process, with all its threads, on the second core, or wherever is said; false where there is no `taskset` or only one core. */
export function pinSelf(core = cores.rest) {
  if (core !== cores.either && availableParallelism() < 2) return false
  return spawnSync('taskset', ['-acp', String(core), String(process.pid)]).status === 0
}

/** The command that runs Node on one core, or wherever the system puts it. */
export const nodeOn = (core) => (core === undefined ? [process.execPath, []] : ['taskset', ['-c', String(core), process.execPath]])
