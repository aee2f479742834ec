import 'server-only'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Written by `scripts/pages-folder.mjs`, which says how builds are kept. */
const currentPages = () => readFileSync('.next/current', 'utf8')

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
