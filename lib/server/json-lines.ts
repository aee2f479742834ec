import 'server-only'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { dirname } from 'node:path'

/** `number` counts from 1. `id`, from the line's hash, stays the same if files are concatenated. */
export type UnreadableLine = { number: number; id: string }

const newline = '\n'.charCodeAt(0)

function endsWithNewline(openFileDescriptor: number, size: number): boolean {
  const lastByte = Buffer.alloc(1)
  if (size > 0) fs.readSync(openFileDescriptor, lastByte, 0, 1, size - 1)
  return size === 0 || lastByte[0] === newline
}

/** Flushes to disk. If the disk is full, throws and leaves no partial line. */
export function appendJsonLine(path: string, value: unknown): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  const fileDescriptor = fs.openSync(path, 'a+', 0o600)
  try {
    const { size } = fs.fstatSync(fileDescriptor)
    // Older versions wrote the newline before each line, so the file may not end with one.
    const lineBytes = Buffer.from(
      `${endsWithNewline(fileDescriptor, size) ? '' : '\n'}${JSON.stringify(value)}\n`,
    )
    if (fs.writeSync(fileDescriptor, lineBytes) < lineBytes.length) {
      fs.ftruncateSync(fileDescriptor, size)
      throw new Error(`${path}: the disk is full`)
    }
    fs.fsyncSync(fileDescriptor)
  } finally {
    fs.closeSync(fileDescriptor)
  }
}

function parseLine<T>(line: string, isExpectedValue: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(line)
    return isExpectedValue(value) ? value : null
  } catch {
    return null
  }
}

export function readJsonLines<T>(
  path: string,
  isExpectedValue: (value: unknown) => value is T,
): { values: T[]; unreadable: UnreadableLine[] } {
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n') : []
  const values: T[] = []
  const unreadableLines: UnreadableLine[] = []
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const value = parseLine(line, isExpectedValue)
    if (value === null)
      unreadableLines.push({
        number: index + 1,
        id: createHash('sha256').update(line).digest('hex').slice(0, 8),
      })
    else values.push(value)
  }
  return { values, unreadable: unreadableLines }
}
