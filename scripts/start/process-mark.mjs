// A PID file: contains the id and the identity of the process that wrote it, so that others can check if that process still runs.
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { textOf } from './files.mjs'

/**
 * Returns a string that no other process has, even one that later gets the same id. On Linux it is the boot id and the start of the
 * process, in ticks since boot. Empty if the process does not exist, and on systems without `/proc`.
 */
function identityOf(pid) {
  // The program's name is in parentheses and may contain any character, so the fields are counted from the last parenthesis.
  const stat = textOf(`/proc/${pid}/stat`)
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return started ? `${textOf('/proc/sys/kernel/random/boot_id').trim()} ${started}` : ''
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Writes a PID file of this process. Throws file system errors. */
export const writeMark = (path) => writeFileSync(path, `${process.pid} ${identityOf(process.pid)}`)

/** Returns the process id in a PID file if that process still runs. Otherwise removes the file and returns undefined. */
export function markedProcess(path) {
  const [, pid, identity] = /^(\d+) (.*)$/.exec(textOf(path)) ?? []
  if (pid && identity === identityOf(pid) && isRunning(Number(pid))) return Number(pid)
  rmSync(path, { force: true })
  return undefined
}

/** Creates a lock file that is a PID file of this process. The creation is atomic. Returns false if the file already exists. */
function lock(path) {
  const mark = `${path}.${process.pid}`
  writeMark(mark)
  try {
    linkSync(mark, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(mark)
  }
}

/**
 * Waits until no other process has the lock file, creates it, runs `work`, and removes the file. Calls `noteWait` once, with the other
 * process's id.
 */
export async function whileAlone(path, noteWait, work) {
  let noted
  while (!lock(path)) {
    const other = markedProcess(path)
    if (other === undefined) continue
    if (!noted) noteWait(other)
    noted = other
    await wait(100)
  }
  try {
    return await work()
  } finally {
    if (markedProcess(path) === process.pid) rmSync(path, { force: true })
  }
}
