import 'server-only'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const pointer = '.next/current'

/** Returns the folder of the last build, which `scripts/pages-folder.mjs` writes. Throws if nothing is built. */
function currentPages(): string {
  const folder = existsSync(pointer) ? readFileSync(pointer, 'utf8') : ''
  if (/^\.next\/\w+$/.test(folder)) return folder
  throw new Error(`no pages are built in ${process.cwd()}: run npm start, or node scripts/ensure.mjs build`)
}

/** A folder that cannot be written to is one in which nothing is built either, such as that of a container. */
const cannotBeWritten = ['EACCES', 'EPERM', 'EROFS']

function mark(folder: string): void {
  try {
    mkdirSync(`${folder}/servers`, { recursive: true })
    writeFileSync(`${folder}/servers/${process.pid}`, '')
  } catch (error) {
    if (!cannotBeWritten.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/**
 * Returns the folder of the pages that were built last, and marks it with the id of this process: while the process runs, no build removes the folder.
 * A build that ends in between may have removed it unmarked, so its successor is taken then.
 */
export function takePages(): string {
  const folder = currentPages()
  mark(folder)
  return currentPages() === folder ? folder : takePages()
}
