import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { appendJsonLine, readJsonLines } from './json-lines'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-lines-'))
const isNumber = (value: unknown): value is number => typeof value === 'number'
const toLineId = (line: string) => createHash('sha256').update(line).digest('hex').slice(0, 8)

let filePath = ''
let testCount = 0
beforeEach(() => {
  testCount += 1
  filePath = path.join(folder, `new-${testCount}`, 'lines.jsonl')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('creates the folder and stores lines readable by the owner only', () => {
  expect(readJsonLines(filePath, isNumber)).toEqual({ values: [], unreadable: [] })
  appendJsonLine(filePath, 1)
  appendJsonLine(filePath, 2)
  expect(fs.readFileSync(filePath, 'utf8')).toBe('1\n2\n')
  expect(readJsonLines(filePath, isNumber)).toEqual({ values: [1, 2], unreadable: [] })
  expect(fs.statSync(filePath).mode & 0o077).toBe(0)
})

test('a truncated line hides no other line and is reported with its number and an ID', () => {
  appendJsonLine(filePath, 1)
  fs.appendFileSync(filePath, '{"cut')
  appendJsonLine(filePath, 2)
  expect(readJsonLines(filePath, isNumber)).toEqual({
    values: [1, 2],
    unreadable: [{ number: 2, id: toLineId('{"cut') }],
  })
})

test('joined files are readable, including those with a newline before each line', () => {
  fs.mkdirSync(path.dirname(filePath), { recursive: true })
  fs.writeFileSync(filePath, '1\n2')
  appendJsonLine(filePath, 3)
  const joinedFilePath = `${filePath}-joined`
  fs.writeFileSync(joinedFilePath, fs.readFileSync(filePath, 'utf8').repeat(2))
  expect(readJsonLines(joinedFilePath, isNumber)).toEqual({
    values: [1, 2, 3, 1, 2, 3],
    unreadable: [],
  })
})
