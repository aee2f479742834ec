import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { keepLine, keptLines } from './kept-lines'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-lines-'))
const file = path.join(folder, 'not-there-yet', 'lines.jsonl')
const isNumber = (value: unknown): value is number => typeof value === 'number'

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('lines are kept in a folder that was not there, and one that was cut short hides none', () => {
  expect(keptLines(file, isNumber)).toEqual({ kept: [], unreadable: 0 })
  keepLine(file, 1)
  fs.appendFileSync(file, '\n{"cut')
  keepLine(file, 2)
  expect(keptLines(file, isNumber)).toEqual({ kept: [1, 2], unreadable: 1 })
  expect(fs.statSync(file).mode & 0o077).toBe(0)
})
