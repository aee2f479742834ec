// A PID file: contains the id and the identity of the process that wrote it, so that others can check if that process still runs.
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readText } from './files.mjs'

/**
 * Returns a string that no other process has, even one that later gets the same id. On Linux it is the boot id and the start of the
 * process, in ticks since boot. Empty if the process does not exist, and on systems without `/proc`.
 */
function readIdentity(pid) {
  // The program's name is in parentheses and may contain any character, so the fields are counted from the last parenthesis.
  const stat = readText(`/proc/${pid}/stat`)
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return startTime ? `${readText('/proc/sys/kernel/random/boot_id').trim()} ${startTime}` : ''
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Writes a PID file of this process. Throws file system errors. */
export const writePidFile = (path) => writeFileSync(path, `${process.pid} ${readIdentity(process.pid)}`)

/** Returns the process id in a PID file if that process still runs. Otherwise removes the file and returns undefined. */
export function readPidFile(path) {
  const [, pid, identity] = /^(\d+) (.*)$/.exec(readText(path)) ?? []
  if (pid && identity === readIdentity(pid) && isRunning(Number(pid))) return Number(pid)
  rmSync(path, { force: true })
  return undefined
}

/** Creates a lock file that is a PID file of this process. The creation is atomic. Returns false if the file already exists. */
function createLockFile(path) {
  const pidFile = `${path}.${process.pid}`
  writePidFile(pidFile)
  try {
    linkSync(pidFile, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(pidFile)
  }
}

/**
 * Waits until no other process has the lock file, creates it, runs `work`, and removes the file. Calls `noteWait` once, with the other
 * process's id.
 */
export async function runWithLock(path, noteWait, work) {
  let notedProcess
  while (!createLockFile(path)) {
    const otherProcess = readPidFile(path)
    if (otherProcess === undefined) continue
    if (!notedProcess) noteWait(otherProcess)
    notedProcess = otherProcess
    await wait(100)
  }
  try {
    return await work()
  } finally {
    if (readPidFile(path) === process.pid) rmSync(path, { force: true })
  }
}
