import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPidFile, removeIfUnchanged, writePidFile } from './pid-file.mjs'

let lockFolder: string
let lockPath: string

beforeEach(() => {
  lockFolder = mkdtempSync(join(tmpdir(), 'pid-file-'))
  lockPath = join(lockFolder, 'lock')
})
afterEach(() => rmSync(lockFolder, { recursive: true, force: true }))

test('the file of a running process is read, and that of a dead one is removed', () => {
  writePidFile(lockPath)
  expect(readPidFile(lockPath)).toBe(process.pid)
  writeFileSync(lockPath, '999999999 dead')
  expect(readPidFile(lockPath)).toBeUndefined()
  expect(existsSync(lockPath)).toBe(false)
})

test('a stale lock that another process has replaced in the meantime is not removed', () => {
  writePidFile(lockPath)
  const newerLockText = readFileSync(lockPath, 'utf8')
  removeIfUnchanged(lockPath, '999999999 dead')
  expect(readFileSync(lockPath, 'utf8')).toBe(newerLockText)
  expect(readdirSync(lockFolder)).toEqual(['lock'])
})

test('a lock that another process has removed in the meantime is no error', () => {
  removeIfUnchanged(lockPath, '999999999 dead')
  expect(readdirSync(lockFolder)).toEqual([])
})
