import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner can read, completely or not at all. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Returns the trimmed content of a private file; creates the file on first use. */
export function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) writePrivately(file, make())
  return readFileSync(file, 'utf8').trim()
}

/** Restricts a file to its owner, creating an empty one if needed. Call it before opening a database: its log file inherits the mode. */
export function makePrivate(file: string): void {
  writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  chmodSync(file, 0o600)
}

/** Thrown for a file that users other than its owner can read or write. */
export class OpenToOthers extends Error {}

/** Returns the trimmed content of a file provided by the user. Throws `OpenToOthers`, or the error of reading. */
export function readPrivate(file: string): string {
  // Windows has no such modes.
  if (process.platform !== 'win32' && statSync(file).mode & 0o077) throw new OpenToOthers()
  return readFileSync(file, 'utf8').trim()
}
