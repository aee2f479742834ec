import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { appendJsonLine, readJsonLines } from './json-lines'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-lines-'))
const isNumber = (value: unknown): value is number => typeof value === 'number'
const toLineId = (line: string) => createHash('sha256').update(line).digest('hex').slice(0, 8)

let file = ''
let count = 0
beforeEach(() => {
  count += 1
  file = path.join(folder, `new-${count}`, 'lines.jsonl')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('creates the folder and stores lines readable by the owner only', () => {
  expect(readJsonLines(file, isNumber)).toEqual({ values: [], unreadable: [] })
  appendJsonLine(file, 1)
  appendJsonLine(file, 2)
  expect(fs.readFileSync(file, 'utf8')).toBe('1\n2\n')
  expect(readJsonLines(file, isNumber)).toEqual({ values: [1, 2], unreadable: [] })
  expect(fs.statSync(file).mode & 0o077).toBe(0)
})

test('a truncated line hides no other line and is reported with its number and an ID', () => {
  appendJsonLine(file, 1)
  fs.appendFileSync(file, '{"cut')
  appendJsonLine(file, 2)
  expect(readJsonLines(file, isNumber)).toEqual({ values: [1, 2], unreadable: [{ number: 2, id: toLineId('{"cut') }] })
})

test('joined files are readable, including those with a newline before each line', () => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '1\n2')
  appendJsonLine(file, 3)
  const joinedFile = `${file}-joined`
  fs.writeFileSync(joinedFile, fs.readFileSync(file, 'utf8').repeat(2))
  expect(readJsonLines(joinedFile, isNumber)).toEqual({ values: [1, 2, 3, 1, 2, 3], unreadable: [] })
})
