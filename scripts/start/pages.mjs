// Manages the folders of built pages. Next builds in `.next/new`, and the result moves to a folder named after the hash of its sources. No
// later build changes that folder, because a running server loads a page's code at the first visit and needs the files until it ends.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from './files.mjs'
import { readPidFile, runWithLock, writePidFile } from './pid-file.mjs'

/** Next's build folder, relative to the project. Its cache and the route types stay here after a build. */
export const newPages = '.next/new'

const currentFile = '.next/current'
const buildLock = '.next/building'
const excludedNames = ['cache', 'dev', 'diagnostics', 'lock', 'trace', 'types']

/** Returns the folder for the pages of the sources with this hash, relative to the project. */
export const toPagesFolder = (hash) => `.next/${hash.slice(0, 16)}`

/** Returns the folder of the pages that the next start serves, relative to the project. Undefined before the first build. */
export const readCurrentPages = (root) => /^\.next\/\w+$/.exec(readText(join(root, currentFile)))?.[0]

/** Returns true if the pages of the sources with this hash are built, even if the next start serves others. */
export const hasPages = (root, hash) => existsSync(join(root, toPagesFolder(hash), 'BUILD_ID'))

/**
 * Returns true if the next start serves the pages of the sources with this hash, and the types of their routes are in Next's build folder.
 */
export const arePagesCurrent = (root, hash) =>
  readCurrentPages(root) === toPagesFolder(hash) && hasPages(root, hash) && existsSync(join(root, newPages, 'types'))

/** Waits until no other build of this project runs, then runs `build`. Calls `noteWait` with the process id of the other build. */
export function buildWithLock(root, noteWait, build) {
  mkdirSync(join(root, '.next'), { recursive: true })
  return runWithLock(join(root, buildLock), noteWait, build)
}

const removePath = (path) => rmSync(path, { recursive: true, force: true })

/**
 * Moves Next's output to the folder named after `hash`. The folder gets its final name last, so an interrupted move leaves no incomplete
 * folder of that name.
 */
export function movePages(root, hash) {
  const [from, to] = [join(root, newPages), join(root, toPagesFolder(hash))]
  const partialFolder = `${to}.part`
  for (const path of [partialFolder, to]) removePath(path)
  mkdirSync(partialFolder)
  cpSync(join(from, 'types'), join(partialFolder, 'types'), { recursive: true })
  for (const name of readdirSync(from)) if (!excludedNames.includes(name)) renameSync(join(from, name), join(partialFolder, name))
  renameSync(partialFolder, to)
}

const listNames = (folder) => (existsSync(folder) ? readdirSync(folder) : [])
const getPidFolder = (folder) => join(folder, 'servers')

/** Returns the process ids of the running servers with a PID file in a folder of pages. `folder` is an absolute path. */
const listServersIn = (folder) => listNames(getPidFolder(folder)).flatMap((name) => readPidFile(join(getPidFolder(folder), name)) ?? [])

/** Returns the process ids of all servers that run from this project. */
export const listRunningServers = (root) => listNames(join(root, '.next')).flatMap((name) => listServersIn(join(root, '.next', name)))

/**
 * Makes the next start serve the pages of the sources with this hash, and puts the types of their routes in Next's build folder, which
 * `tsconfig.json` includes. Removes older builds that no running server uses.
 */
export function switchPages(root, hash) {
  const pages = toPagesFolder(hash)
  removePath(join(root, newPages, 'types'))
  cpSync(join(root, pages, 'types'), join(root, newPages, 'types'), { recursive: true })
  writeFileSync(join(root, `${currentFile}.part`), pages)
  renameSync(join(root, `${currentFile}.part`), join(root, currentFile))
  const isNeeded = (path) => [newPages, currentFile, pages].includes(path) || path.startsWith(buildLock)
  for (const path of readdirSync(join(root, '.next')).map((name) => `.next/${name}`))
    if (listServersIn(join(root, path)).length === 0 && !isNeeded(path)) removePath(join(root, path))
}

/**
 * Writes a PID file into a folder of pages (relative to the project), which protects the folder until this process ends. Throws file system
 * errors.
 */
export function writeServerPidFile(root, folder) {
  const serverPidFolder = getPidFolder(join(root, folder))
  const pidFile = join(serverPidFolder, String(process.pid))
  mkdirSync(serverPidFolder, { recursive: true })
  writePidFile(pidFile)
  process.once('exit', () => rmSync(pidFile, { force: true }))
}

/**
 * Returns the folder of the pages to serve, relative to the project. Writes a PID file into it, so that no build removes the folder while
 * this process runs. If a build switched to other pages in between, returns their folder. Calls `noteFailure` if the PID file cannot be
 * written.
 */
export function takePages(root, noteFailure) {
  const folder = readCurrentPages(root)
  if (!folder) throw new Error(`no pages are built in ${root}: run npm start, or node scripts/ensure.mjs build`)
  try {
    writeServerPidFile(root, folder)
  } catch (error) {
    noteFailure(error)
  }
  return readCurrentPages(root) === folder ? folder : takePages(root, noteFailure)
}
