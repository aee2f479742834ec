// A PID file contains the id and the identity of the process that wrote it, so that other processes
// can check if it still runs.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readText } from './files.mjs'

/**
 * Returns a string that identifies a process, even if a later process gets the same id. On Linux it
 * is the boot id and the start time of the process, in ticks since boot. Returns an empty string if
 * the process does not exist, or if the system has no `/proc`.
 */
function readProcessIdentity(pid) {
  // The program's name is in parentheses and may contain spaces and parentheses, so the fields are
  // counted from the last parenthesis.
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
export const writePidFile = (path) =>
  writeFileSync(path, `${process.pid} ${readProcessIdentity(process.pid)}`)

/**
 * Returns the process id in a PID file if that process still runs. Otherwise deletes the file and
 * returns undefined.
 */
export function readPidFile(path) {
  const text = readText(path)
  const [, pid, identity] = /^(\d+) (.*)$/.exec(text) ?? []
  if (pid && identity === readProcessIdentity(pid) && isRunning(Number(pid))) return Number(pid)
  removeIfUnchanged(path, text)
  return undefined
}

/**
 * Removes a file that has the text `text`. Another process may have replaced the file since it was
 * read, for example with its own lock: then the file is put back.
 */
export function removeIfUnchanged(path, text) {
  const movedFile = `${path}.${process.pid}.stale`
  try {
    // Only one process can move the file, so no two processes take over the same stale lock.
    renameSync(path, movedFile)
    if (readText(movedFile) !== text) linkSync(movedFile, path)
  } catch (error) {
    // Another process moved the file first, or has created a new one.
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(movedFile, { force: true })
}

/**
 * Creates a lock file, which is a PID file of this process. Returns false if it already exists. Of
 * several processes, only one can create it.
 */
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
 * Runs `work` while this process holds the lock file, and deletes the file at the end. If another
 * process holds it, waits, and calls `noteWait` once with the id of that process.
 */
export async function runWithLock(path, noteWait, work) {
  let notedPid
  while (!createLockFile(path)) {
    const otherPid = readPidFile(path)
    if (otherPid === undefined) continue
    if (!notedPid) noteWait(otherPid)
    notedPid = otherPid
    await wait(100)
  }
  try {
    return await work()
  } finally {
    if (readPidFile(path) === process.pid) rmSync(path, { force: true })
  }
}
