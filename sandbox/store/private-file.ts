import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** What such a file holds, without space around it; made on the first asking. */
export function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) writePrivately(file, make())
  return readFileSync(file, 'utf8').trim()
}

/** Lets nobody but its owner read a file, making an empty one where there is none. Before a database is opened: its log gets the mode it has then. */
export function makePrivate(file: string): void {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  chmodSync(file, 0o600)
}

/** Thrown for a file that others than its owner may read or write. */
export class OpenToOthers extends Error {}

/** What a file that somebody made for us holds, without space around it. Throws `OpenToOthers`, or what reading throws. */
export function readPrivate(file: string): string {
  // Windows has no such modes.
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) throw new OpenToOthers()
  return readFileSync(file, 'utf8').trim()
}
