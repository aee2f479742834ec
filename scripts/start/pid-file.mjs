// A PID file has the id and identity of its process, so that other processes can check if it still
// runs.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readText } from './files.mjs'

/**
 * Returns a text that distinguishes a process from an earlier one with the same id. On Linux it is
 * the boot id and the start time in ticks since boot. Returns an empty string if the process or
 * `/proc` does not exist.
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

export const writePidFile = (path) =>
  writeFileSync(path, `${process.pid} ${readProcessIdentity(process.pid)}`)

/**
 * Returns the id of the process in a PID file. If the process has ended, deletes the file and
 * returns undefined.
 */
export function readPidFile(path) {
  const pidFileText = readText(path)
  const [, pid, identity] = /^(\d+) (.*)$/.exec(pidFileText) ?? []
  if (pid && identity === readProcessIdentity(pid) && isRunning(Number(pid))) return Number(pid)
  removeIfUnchanged(path, pidFileText)
  return undefined
}

/**
 * Removes a file if it still has this text. If another process has replaced the file with its own,
 * for example with a new lock, the file is put back.
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
 * Creates a lock file. Returns false if it exists. Of several processes, only one can create it.
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
 * Runs `work` while this process holds the lock. If another process holds it, waits and calls
 * `onWait` once with the id of that process.
 */
export async function runWithLock(path, onWait, work) {
  let reportedPid
  while (!createLockFile(path)) {
    const otherPid = readPidFile(path)
    if (otherPid === undefined) continue
    if (!reportedPid) onWait(otherPid)
    reportedPid = otherPid
    await wait(100)
  }
  try {
    return await work()
  } finally {
    if (readPidFile(path) === process.pid) rmSync(path, { force: true })
  }
}
