import 'server-only'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { dirname } from 'node:path'

/**
 * A line that cannot be parsed. `number` counts from 1. `id` is the first eight hex digits of the line's SHA-256: unlike the number, it
 * stays the same if files are concatenated.
 */
export type UnreadableLine = { number: number; id: string }

const newline = '\n'.charCodeAt(0)

function endsWithNewline(file: number, size: number): boolean {
  const lastByte = Buffer.alloc(1)
  if (size > 0) fs.readSync(file, lastByte, 0, 1, size - 1)
  return size === 0 || lastByte[0] === newline
}

/** Appends a JSON line to a file and flushes it. Creates a missing folder. Throws if the disk is full, leaving no partial line. */
export function appendJsonLine(path: string, value: unknown): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  const file = fs.openSync(path, 'a+', 0o600)
  try {
    const { size } = fs.fstatSync(file)
    // Older versions wrote the newline before a line, so their file does not end with one.
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

function parseLine<T>(line: string, isOne: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(line)
    return isOne(value) ? value : null
  } catch {
    return null
  }
}

/** Returns the values in a file of JSON lines, oldest first, and the lines that cannot be read. */
export function readJsonLines<T>(path: string, isOne: (value: unknown) => value is T): { values: T[]; unreadable: UnreadableLine[] } {
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n') : []
  const values: T[] = []
  const unreadable: UnreadableLine[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const value = parseLine(line, isOne)
    if (value === null) unreadable.push({ number: index + 1, id: createHash('sha256').update(line).digest('hex').slice(0, 8) })
    else values.push(value)
  }
  return { values, unreadable }
}
