import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * CPU cores: `subject` for the measured server, `rest` for all other processes. `either` allows
 * both cores, for a server that works only while its single client waits.
 */
export const coreByRole = { subject: 0, rest: 1, either: '0-1' }

/** Returns false if `taskset` is missing or the machine has only one core. */
export function pinSelf(core = coreByRole.rest) {
  if (core !== coreByRole.either && availableParallelism() < 2) return false
  return spawnSync('taskset', ['-acp', String(core), String(process.pid)]).status === 0
}

export const buildNodeCommand = (core) =>
  core === undefined ? [process.execPath, []] : ['taskset', ['-c', String(core), process.execPath]]
