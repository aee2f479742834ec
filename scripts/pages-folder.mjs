// Where the pages of a build are. Next builds in `.next/new`, and the result moves to a folder of its own name beside it, which no later build writes to: a
// server loads a page's code at its first visit, so its files have to stay as long as it runs.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { basename, join } from 'node:path'

const nextFolder = '.next'

/** Where Next builds, relative to the project. Its cache and the types of the routes stay here. */
export const newPages = `${nextFolder}/new`

const current = `${nextFolder}/current`
const staysInNew = ['cache', 'dev', 'diagnostics', 'lock', 'trace', 'types']

/** Returns the folder for the pages of these sources, relative to the project. */
export const pagesOf = (hash) => `${nextFolder}/${hash.slice(0, 16)}`

/** Returns the folder of the pages that a start serves now, relative to the project; undefined before the first build. */
export function currentPages(root) {
  const path = join(root, current)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Returns true if the pages of these sources are built, whether or not they are the current ones. */
export const hasPages = (root, hash) => existsSync(join(root, pagesOf(hash), 'BUILD_ID'))

/** Moves what Next built to the folder of its sources. A move that breaks off leaves no folder of that name. */
export function keepPages(root, hash) {
  const [from, to] = [join(root, newPages), join(root, pagesOf(hash))]
  const unfinished = `${to}.part`
  for (const path of [unfinished, to]) rmSync(path, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  for (const name of readdirSync(from).filter((name) => !staysInNew.includes(name))) renameSync(join(from, name), join(unfinished, name))
  renameSync(unfinished, to)
}

/** Returns true for the mark of a process that runs. After a restart of the machine its id may be another process's. */
function isRunning(mark) {
  if (statSync(mark).mtimeMs < Date.now() - uptime() * 1000) return false
  try {
    return process.kill(Number(basename(mark)), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns the process ids of the running servers that marked a build, whose folder is given by its whole path. */
function serversIn(folder) {
  const marks = join(folder, 'servers')
  if (!existsSync(marks)) return []
  return readdirSync(marks).filter((pid) => isRunning(join(marks, pid)))
}

/** Returns the process ids of the servers that run from this project. */
export function runningServers(root) {
  const folder = join(root, nextFolder)
  return existsSync(folder) ? readdirSync(folder).flatMap((name) => serversIn(join(folder, name))) : []
}

/** Makes the pages of these sources the ones that the next start serves, and removes older builds that no running server uses. */
export function switchPages(root, hash) {
  writeFileSync(join(root, `${current}.part`), pagesOf(hash))
  renameSync(join(root, `${current}.part`), join(root, current))
  const needed = [newPages, current, pagesOf(hash)]
  for (const name of readdirSync(join(root, nextFolder))) {
    const folder = join(root, nextFolder, name)
    if (!needed.includes(`${nextFolder}/${name}`) && serversIn(folder).length === 0) rmSync(folder, { recursive: true, force: true })
  }
}
