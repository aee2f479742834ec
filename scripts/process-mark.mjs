// A file that names the process that wrote it, so that others can tell whether that process still runs.
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
 * Returns what no other process with this id has, before or after: on Linux the id of the machine's start and the start of the process in ticks since then. Empty
 * for a process that is not there, and on systems without `/proc`.
 */
function identityOf(pid) {
  // The name of the program is in parentheses, and may contain any character.
  const stat = textOf(`/proc/${pid}/stat`)
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return started ? `${textOf('/proc/sys/kernel/random/boot_id')} ${started}` : ''
}

/** Writes the mark of this process. Throws what the file system throws. */
export const writeMark = (path) => writeFileSync(path, `${process.pid} ${identityOf(process.pid)}`)

/** Returns the id of the process that wrote a mark, while it runs; otherwise undefined. */
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

/** Waits until no other process is in the work that this file stands for, does the work, and removes the file. `noteWait` is called once, with the other's id. */
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

/** Puts a mark at a path that is free, whole from the first moment. Returns false if another one is there. */
function claim(unclaimed, path) {
  try {
    linkSync(unclaimed, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}
