// The location of built pages. Next builds in `.next/new`. The result moves to a folder of its own name beside it, which no later build
// changes: a running server loads a page's code at its first visit and needs the files until it ends.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markedProcess, whileAlone, writeMark } from './process-mark.mjs'

const nextFolder = '.next'

/** Next's build folder, relative to the project. Its cache and the types of the routes stay here. */
export const newPages = `${nextFolder}/new`

const current = `${nextFolder}/current`
const building = `${nextFolder}/building`
const staysInNew = ['cache', 'dev', 'diagnostics', 'lock', 'trace', 'types']

/** Returns the folder for the pages of these sources, relative to the project. */
export const pagesOf = (hash) => `${nextFolder}/${hash.slice(0, 16)}`

/** Returns the folder of the pages that a start serves now, relative to the project; undefined before the first build. */
export function currentPages(root) {
  const path = join(root, current)
  const folder = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return /^\.next\/\w+$/.test(folder) ? folder : undefined
}

/** Returns true if the pages of these sources are built, whether or not they are the current ones. */
export const hasPages = (root, hash) => existsSync(join(root, pagesOf(hash), 'BUILD_ID'))

/** Returns true if the next start serves the pages of these sources, and `tsconfig.json` includes the types of their routes. */
export const areCurrent = (root, hash) =>
  currentPages(root) === pagesOf(hash) && hasPages(root, hash) && existsSync(join(root, newPages, 'types'))

/** Runs a build after any other build in this project has ended. Calls `noteWait` with the process id of the other build. */
export function buildAlone(root, noteWait, build) {
  mkdirSync(join(root, nextFolder), { recursive: true })
  return whileAlone(join(root, building), noteWait, build)
}

/** Moves Next's output to the folder of its sources. An interrupted move leaves no folder of that name. */
export function keepPages(root, hash) {
  const [from, to] = [join(root, newPages), join(root, pagesOf(hash))]
  const unfinished = `${to}.part`
  for (const path of [unfinished, to]) rmSync(path, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  cpSync(join(from, 'types'), join(unfinished, 'types'), { recursive: true })
  for (const name of readdirSync(from).filter((name) => !staysInNew.includes(name))) renameSync(join(from, name), join(unfinished, name))
  renameSync(unfinished, to)
}

const marksIn = (folder) => join(folder, 'servers')

/** Returns the process ids of the running servers that marked a folder, given by its full path. Removes the marks of ended processes. */
function serversIn(folder) {
  const marks = marksIn(folder)
  if (!existsSync(marks)) return []
  return readdirSync(marks).flatMap((name) => {
    const server = markedProcess(join(marks, name))
    if (server === undefined) rmSync(join(marks, name), { force: true })
    return server ?? []
  })
}

/** Returns the process ids of the servers that run from this project. */
export function runningServers(root) {
  const folder = join(root, nextFolder)
  return existsSync(folder) ? readdirSync(folder).flatMap((name) => serversIn(join(folder, name))) : []
}

/**
 * Makes the pages of these sources current for the next start, and removes older builds that no running server uses. `tsconfig.json` then
 * includes the types of their routes.
 */
export function switchPages(root, hash) {
  const pages = pagesOf(hash)
  rmSync(join(root, newPages, 'types'), { recursive: true, force: true })
  cpSync(join(root, pages, 'types'), join(root, newPages, 'types'), { recursive: true })
  writeFileSync(join(root, `${current}.part`), pages)
  renameSync(join(root, `${current}.part`), join(root, current))
  const isNeeded = (path) => [newPages, current, pages].includes(path) || path.startsWith(building)
  for (const name of readdirSync(join(root, nextFolder))) {
    const path = `${nextFolder}/${name}`
    const servers = serversIn(join(root, path))
    if (servers.length === 0 && !isNeeded(path)) rmSync(join(root, path), { recursive: true, force: true })
  }
}

/** Marks a folder of pages, relative to the project, as used by this process until it ends. Throws file system errors. */
export function markServer(root, folder) {
  const mark = join(marksIn(join(root, folder)), String(process.pid))
  mkdirSync(marksIn(join(root, folder)), { recursive: true })
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
