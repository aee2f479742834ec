import 'server-only'
import fs from 'node:fs'
import { dirname } from 'node:path'

/** Adds a line to a file beside the store, one JSON value a line; it is on the disk when this returns. Makes the folder where it is missing. */
export function keepLine(path: string, value: unknown): void {
  fs.mkdirSync(dirname(path), { recursive: true })
  const file = fs.openSync(path, 'a', 0o600)
  try {
    // A line that was cut short must not swallow this one.
    fs.writeSync(file, `${fs.fstatSync(file).size > 0 ? '\n' : ''}${JSON.stringify(value)}`)
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

/** The lines that are kept, oldest first, and how many hold no such value: a line that a kill cut short, or worse. */
export function keptLines<T>(path: string, isOne: (value: unknown) => value is T): { kept: T[]; unreadable: number } {
  const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const kept = lines.flatMap((line) => valueIn(line, isOne) ?? [])
  return { kept, unreadable: lines.length - kept.length }
}
