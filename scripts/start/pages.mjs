// Next builds in `.next/new`. The result moves to a folder named after the hash of the sources.
// Later builds do not change it: a running server loads a page's code at the first visit.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readText } from './files.mjs'
import { readPidFile, runWithLock, writePidFile } from './pid-file.mjs'

/**
 * The folder in which Next builds. Next's cache and the route types stay here after a build; the
 * pages move to another folder.
 */
export const nextBuildFolder = '.next/new'

const currentPagesFile = '.next/current'
const buildLock = '.next/building'
const unmovedEntryNames = ['cache', 'dev', 'diagnostics', 'lock', 'trace', 'types']

export const toPagesFolder = (hash) => `.next/${hash.slice(0, 16)}`

/** Returns the folder of the pages that the next start serves; undefined before the first build. */
export const readCurrentPagesFolder = (root) =>
  /^\.next\/\w+$/.exec(readText(join(root, currentPagesFile)))?.[0]

/** Returns true if the pages with this hash exist, even if the next start serves other pages. */
export const hasBuiltPages = (root, hash) => existsSync(join(root, toPagesFolder(hash), 'BUILD_ID'))

/**
 * Returns true if the next start serves the pages with this hash, and if their generated route
 * types exist in Next's build folder.
 */
export const arePagesCurrent = (root, hash) =>
  readCurrentPagesFolder(root) === toPagesFolder(hash) &&
  hasBuiltPages(root, hash) &&
  existsSync(join(root, nextBuildFolder, 'types'))

/**
 * Runs `build` when no other build runs. While it waits, calls `onWait` once with the process id of
 * the other build.
 */
export function buildWithLock(root, onWait, build) {
  mkdirSync(join(root, '.next'), { recursive: true })
  return runWithLock(join(root, buildLock), onWait, build)
}

const removePath = (path) => rmSync(path, { recursive: true, force: true })

/**
 * Moves Next's output to the folder named after `hash`. The folder gets this name only when it is
 * complete, so an interrupted move is not mistaken for a build.
 */
export function moveBuiltPages(root, hash) {
  const [from, to] = [join(root, nextBuildFolder), join(root, toPagesFolder(hash))]
  const partialFolder = `${to}.part`
  for (const path of [partialFolder, to]) removePath(path)
  mkdirSync(partialFolder)
  cpSync(join(from, 'types'), join(partialFolder, 'types'), { recursive: true })
  for (const name of readdirSync(from))
    if (!unmovedEntryNames.includes(name)) renameSync(join(from, name), join(partialFolder, name))
  renameSync(partialFolder, to)
}

const listFolderEntries = (folder) => (existsSync(folder) ? readdirSync(folder) : [])
const getPidFolder = (folder) => join(folder, 'servers')

/** `folder` is an absolute path. */
const listServerPidsIn = (folder) =>
  listFolderEntries(getPidFolder(folder)).flatMap(
    (name) => readPidFile(join(getPidFolder(folder), name)) ?? [],
  )

export const listRunningServerPids = (root) =>
  listFolderEntries(join(root, '.next')).flatMap((name) =>
    listServerPidsIn(join(root, '.next', name)),
  )

/**
 * Makes the next start serve the pages with this hash. Also copies their route types to Next's
 * build folder, which `tsconfig.json` includes. Removes older builds that no running server uses.
 */
export function makePagesCurrent(root, hash) {
  const pagesFolder = toPagesFolder(hash)
  removePath(join(root, nextBuildFolder, 'types'))
  cpSync(join(root, pagesFolder, 'types'), join(root, nextBuildFolder, 'types'), {
    recursive: true,
  })
  writeFileSync(join(root, `${currentPagesFile}.part`), pagesFolder)
  renameSync(join(root, `${currentPagesFile}.part`), join(root, currentPagesFile))
  const isNeeded = (path) =>
    [nextBuildFolder, currentPagesFile, pagesFolder].includes(path) || path.startsWith(buildLock)
  for (const path of readdirSync(join(root, '.next')).map((name) => `.next/${name}`))
    if (listServerPidsIn(join(root, path)).length === 0 && !isNeeded(path))
      removePath(join(root, path))
}

/**
 * Writes a PID file into a folder of pages, so that no build removes the folder until this process
 * ends. `folder` is relative to the project. Throws file system errors.
 */
export function writeServerPidFile(root, folder) {
  const serverPidFolder = getPidFolder(join(root, folder))
  const pidFile = join(serverPidFolder, String(process.pid))
  mkdirSync(serverPidFolder, { recursive: true })
  writePidFile(pidFile)
  process.once('exit', () => rmSync(pidFile, { force: true }))
}

/**
 * Returns the folder of the current pages, and writes a PID file there, so that no build removes
 * the folder. Starts again if a build has switched to other pages in between. Calls `onFailure` if
 * the PID file cannot be written.
 */
export function reserveCurrentPages(root, onFailure) {
  const currentPagesFolder = readCurrentPagesFolder(root)
  if (!currentPagesFolder)
    throw new Error(
      `no pages are built in ${root}: run npm start, or node scripts/ensure.mjs build`,
    )
  try {
    writeServerPidFile(root, currentPagesFolder)
  } catch (error) {
    onFailure(error)
  }
  return readCurrentPagesFolder(root) === currentPagesFolder
    ? currentPagesFolder
    : reserveCurrentPages(root, onFailure)
}
