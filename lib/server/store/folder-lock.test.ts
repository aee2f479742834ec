import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock'

let folder: string
const file = () => path.join(folder, 'lock')
const left = () => `${spawnSync(process.execPath, ['-e', '']).pid} 1 ${os.hostname()}`

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-lock-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('a folder is given once, and again after it was given back', () => {
  const first = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid}:`)
  first.release()
  lockFolder(folder).release()
  expect(fs.existsSync(file())).toBe(false)
})

test('giving back twice takes nothing from the one who has it since', () => {
  const first = lockFolder(folder)
  first.release()
  fs.writeFileSync(file(), `1 1 ${os.hostname()}`)
  first.release()
  expect(fs.readFileSync(file(), 'utf8')).toBe(`1 1 ${os.hostname()}`)
})

test('a lock left by a dead process is taken over, by one at a time', () => {
  fs.writeFileSync(file(), left())
  fs.writeFileSync(`${file()}.taking`, '')
  expect(() => lockFolder(folder)).toThrow('is being opened by another process')
  fs.rmSync(`${file()}.taking`)
  lockFolder(folder).release()
})

test('a taking-over that was cut off long ago does not stand in the way', () => {
  fs.writeFileSync(file(), left())
  fs.writeFileSync(`${file()}.taking`, '')
  fs.utimesSync(`${file()}.taking`, 1, 1)
  lockFolder(folder).release()
})

test('the lock of another machine is never taken over: whether its owner lives cannot be seen', () => {
  fs.writeFileSync(file(), '1 1 another-machine')
  expect(() => lockFolder(folder)).toThrow('process 1 of another-machine')
})
