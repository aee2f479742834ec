import 'server-only'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { dirname } from 'node:path'

/**
 * A line that cannot be parsed: its number from 1, and the first eight hex digits of its SHA-256, which stay the same when files are
 * joined.
 */
export type UnreadableLine = { number: number; id: string }

const newline = '\n'.charCodeAt(0)

function endsWithNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  if (size > 0) fs.readSync(file, last, 0, 1, size - 1)
  return size === 0 || last[0] === newline
}

/**
 * Appends a JSON line to a file and flushes it to disk. Creates the folder if it is missing. Throws if the disk is full, and then leaves no
 * partial line.
 */
export function keepLine(path: string, value: unknown): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  const file = fs.openSync(path, 'a+', 0o600)
  try {
    const { size } = fs.fstatSync(file)
    // Older versions wrote the newline before a line, not after it.
    const line = Buffer.from(`${endsWithNewline(file, size) ? '' : '\n'}${JSON.stringify(value)}\n`)
    if (fs.writeSync(file, line) < line.length) {
      fs.ftruncateSync(file, size)
      throw new Error(`${path}: the disk is full`)
    }
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

function valueIn<T>(line: string, isOne: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(line)
    return isOne(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the values in the file, oldest first, and the unreadable lines. */
export function keptLines<T>(path: string, isOne: (value: unknown) => value is T): { values: T[]; unreadable: UnreadableLine[] } {
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n') : []
  const values: T[] = []
  const unreadable: UnreadableLine[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const value = valueIn(line, isOne)
    if (value === null) unreadable.push({ number: index + 1, id: createHash('sha256').update(line).digest('hex').slice(0, 8) })
    else values.push(value)
  }
  return { values, unreadable }
}
