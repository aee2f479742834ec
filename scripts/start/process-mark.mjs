// A file that identifies the process that wrote it, so that others can check if that process still runs.
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * Returns a string that is unique to this process, even if its id is reused: on Linux the boot id and the process's start in ticks since
 * boot. Empty if the process does not exist, and on systems without `/proc`.
 */
function identityOf(pid) {
  // The program's name is in parentheses, and may contain any character.
  const stat = textOf(`/proc/${pid}/stat`)
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return started ? `${textOf('/proc/sys/kernel/random/boot_id')} ${started}` : ''
}

/** Writes the mark of this process. Throws file system errors. */
export const writeMark = (path) => writeFileSync(path, `${process.pid} ${identityOf(process.pid)}`)

/** Returns the id of the process that wrote a mark if it still runs; otherwise undefined. */
export function markedProcess(path) {
  const [, id, identity] = /^(\d+) ?(.*)$/.exec(textOf(path)) ?? []
  if (!id || identity !== identityOf(id)) return undefined
  try {
    process.kill(Number(id), 0)
    return Number(id)
  } catch (error) {
    return error.code === 'EPERM' ? Number(id) : undefined
  }
}

/**
 * Waits until no other process holds the lock file at `path`, runs `work`, and removes the file. Calls `noteWait` once, with the other
 * process's id.
 */
export async function whileAlone(path, noteWait, work) {
  const unclaimed = `${path}.${randomUUID()}`
  writeMark(unclaimed)
  let isNoted = false
  try {
    while (!claim(unclaimed, path)) {
      const other = markedProcess(path)
      if (other === undefined) {
        rmSync(path, { force: true })
        continue
      }
      if (!isNoted) noteWait(other)
      isNoted = true
      await wait(100)
    }
    return await work()
  } finally {
    if (markedProcess(path) === process.pid) rmSync(path, { force: true })
    rmSync(unclaimed, { force: true })
  }
}

/** Creates the lock file atomically, with its content. Returns false if it exists already. */
function claim(unclaimed, path) {
  try {
    linkSync(unclaimed, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}
