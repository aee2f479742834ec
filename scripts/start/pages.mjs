// The location of built pages. Next builds in `.next/new`. The result moves to a folder of its own name beside it, which no later build
// changes: a running server loads a page's code at its first visit and needs the files until it ends.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from './files.mjs'
import { markedProcess, whileAlone, writeMark } from './process-mark.mjs'

/** Next's build folder, relative to the project. Its cache and the types of the routes stay here. */
export const newPages = '.next/new'

const current = '.next/current'
const building = '.next/building'
const staysInNew = ['cache', 'dev', 'diagnostics', 'lock', 'trace', 'types']

/** Returns the folder for the pages of these sources, relative to the project. */
export const pagesOf = (hash) => `.next/${hash.slice(0, 16)}`

/** Returns the folder of the pages that a start serves now, relative to the project; undefined before the first build. */
export const currentPages = (root) => /^\.next\/\w+$/.exec(textOf(join(root, current)))?.[0]

/** Returns true if the pages of these sources are built, even if they are not the current ones. */
export const hasPages = (root, hash) => existsSync(join(root, pagesOf(hash), 'BUILD_ID'))

/** Returns true if the next start serves the pages of these sources, and `tsconfig.json` includes the types of their routes. */
export const areCurrent = (root, hash) =>
  currentPages(root) === pagesOf(hash) && hasPages(root, hash) && existsSync(join(root, newPages, 'types'))

/** Runs a build after any other build in this project has ended. Calls `noteWait` with the process id of the other build. */
export function buildAlone(root, noteWait, build) {
  mkdirSync(join(root, '.next'), { recursive: true })
  return whileAlone(join(root, building), noteWait, build)
}

const remove = (path) => rmSync(path, { recursive: true, force: true })

/** Moves Next's output to the folder of its sources. An interrupted move leaves no folder of that name. */
export function keepPages(root, hash) {
  const [from, to] = [join(root, newPages), join(root, pagesOf(hash))]
  const unfinished = `${to}.part`
  for (const path of [unfinished, to]) remove(path)
  mkdirSync(unfinished)
  cpSync(join(from, 'types'), join(unfinished, 'types'), { recursive: true })
  for (const name of readdirSync(from)) if (!staysInNew.includes(name)) renameSync(join(from, name), join(unfinished, name))
  renameSync(unfinished, to)
}

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])
const marksIn = (folder) => join(folder, 'servers')

/** Returns the process ids of the running servers that marked a folder, given by its full path. */
const serversIn = (folder) => namesIn(marksIn(folder)).flatMap((name) => markedProcess(join(marksIn(folder), name)) ?? [])

/** Returns the process ids of the servers that run from this project. */
export const runningServers = (root) => namesIn(join(root, '.next')).flatMap((name) => serversIn(join(root, '.next', name)))

/**
 * Makes the pages of these sources current for the next start, and removes older builds that no running server uses. `tsconfig.json` then
 * includes the types of their routes.
 */
export function switchPages(root, hash) {
  const pages = pagesOf(hash)
  remove(join(root, newPages, 'types'))
  cpSync(join(root, pages, 'types'), join(root, newPages, 'types'), { recursive: true })
  writeFileSync(join(root, `${current}.part`), pages)
  renameSync(join(root, `${current}.part`), join(root, current))
  const isNeeded = (path) => [newPages, current, pages].includes(path) || path.startsWith(building)
  for (const path of readdirSync(join(root, '.next')).map((name) => `.next/${name}`))
    if (serversIn(join(root, path)).length === 0 && !isNeeded(path)) remove(join(root, path))
}

/** Marks a folder of pages, relative to the project, as used by this process until it ends. Throws file system errors. */
export function markServer(root, folder) {
  const marks = marksIn(join(root, folder))
  const mark = join(marks, String(process.pid))
  mkdirSync(marks, { recursive: true })
  writeMark(mark)
  process.once('exit', () => rmSync(mark, { force: true }))
}

/**
 * Returns the folder of the pages to serve, relative to the project, and marks it. No build removes it while this process runs. If a build
 * removed it before it was marked, returns its successor. Calls `noteFailure` if the folder cannot be marked.
 */
export function takePages(root, noteFailure) {
  const folder = currentPages(root)
  if (!folder) throw new Error(`no pages are built in ${root}: run npm start, or node scripts/ensure.mjs build`)
  try {
    markServer(root, folder)
  } catch (error) {
    noteFailure(error)
  }
  return currentPages(root) === folder ? folder : takePages(root, noteFailure)
}
