import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * CPU cores: `subject` for the measured server, `rest` for all other processes. `either` means both cores. It is for a server that works
 * only while its single client waits.
 */
export const cores = { subject: 0, rest: 1, either: '0-1' }

/** Pins this process and all its threads to a core. Returns false if `taskset` is missing, or if there is only one core. */
export function pinSelf(core = cores.rest) {
  if (core !== cores.either && availableParallelism() < 2) return false
  return spawnSync('taskset', ['-acp', String(core), String(process.pid)]).status === 0
}

/** Returns the command and arguments that start Node on `core`, or on any core if it is undefined. */
export const buildNodeCommand = (core) =>
  core === undefined ? [process.execPath, []] : ['taskset', ['-c', String(core), process.execPath]]
