import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lockFolder, openPglite } from './pglite'

let storeFolder: string

beforeEach(() => {
  storeFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-store-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  fs.rmSync(storeFolder, { recursive: true, force: true })
})

test('each commit is written to disk by fsync', async () => {
  const { db, close } = await openPglite(storeFolder)
  await db.exec('create table t (n int)')
  const fsyncSpy = vi.spyOn(fs, 'fsyncSync')
  for (let n = 0; n < 20; n += 1) await db.query('insert into t values ($1)', [n])
  expect(fsyncSpy.mock.calls.length).toBeGreaterThanOrEqual(20)
  expect((await db.query<{ fsync: string }>('show fsync')).rows[0]?.fsync).toBe('on')
  await close()
})

test('a second process is refused while the first has the folder, and accepted afterwards', async () => {
  const bundlePath = path.join(process.cwd(), 'build', `second-${process.pid}.mjs`)
  await build({
    stdin: {
      contents: `import { openPglite } from '@/lib/server/store/pglite'
        try { const open = await openPglite(process.argv[2]); await open.close(); console.log('opened') }
        catch (error) { console.log(error.code + ': ' + error.message) }`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['react-server'],
    external: ['@electric-sql/pglite'],
    outfile: bundlePath,
  })
  const openInSecondProcess = () =>
    spawnSync(process.execPath, [bundlePath, storeFolder], { encoding: 'utf8' }).stdout.trim()
  const { close } = await openPglite(storeFolder)
  expect(openInSecondProcess()).toBe(
    `unavailable: The store is in use by process ${process.pid}: stop that one first, or set DATABASE_URL`,
  )
  await close()
  expect(openInSecondProcess()).toBe('opened')
  fs.rmSync(bundlePath)
})

test('an interrupted creation is repeated, and rows survive a clean reopen', async () => {
  fs.mkdirSync(path.join(storeFolder, 'pg'))
  fs.writeFileSync(path.join(storeFolder, 'pg', 'half'), 'made')
  const firstStore = await openPglite(storeFolder)
  await firstStore.db.exec('create table t (n int); insert into t values (7)')
  await firstStore.close()
  const reopenedStore = await openPglite(storeFolder)
  expect((await reopenedStore.db.query<{ n: number }>('select n from t')).rows).toEqual([{ n: 7 }])
  await reopenedStore.close()
})

test('replaces the lock of a dead process', async () => {
  const deadPid = spawnSync(process.execPath, ['-e', '']).pid
  fs.writeFileSync(path.join(storeFolder, 'lock'), `${deadPid} 12345 ${os.hostname()}`)
  const { close } = await openPglite(storeFolder)
  expect(fs.readFileSync(path.join(storeFolder, 'lock'), 'utf8')).toContain(`${process.pid} `)
  await close()
})

test('bytes are read as they were written, also an empty value', async () => {
  const { db, close } = await openPglite(storeFolder)
  await db.exec('create table t (n int, b bytea)')
  const allBytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  // `subarray` returns a view into a larger buffer, like a chunk of a stream.
  for (const [n, bytes] of [allBytes, allBytes.subarray(100, 103), Buffer.alloc(0)].entries()) {
    await db.query('insert into t values ($1, $2)', [n, bytes])
    const { rows } = await db.query<{ b: Uint8Array }>('select b from t where n = $1', [n])
    expect(Buffer.from(rows[0]?.b ?? []).equals(bytes)).toBe(true)
  }
  await close()
})

const getLockPath = () => path.join(storeFolder, 'lock')
const createStaleLockText = () =>
  `${spawnSync(process.execPath, ['-e', '']).pid} 1 ${os.hostname()}`

test('a folder can be locked once, and again after its release', () => {
  const firstLock = lockFolder(storeFolder)
  expect(() => lockFolder(storeFolder)).toThrow(`in use by process ${process.pid}:`)
  firstLock.release()
  lockFolder(storeFolder).release()
  expect(fs.existsSync(getLockPath())).toBe(false)
})

test('a second release does not remove a new owner’s lock', () => {
  const heldLock = lockFolder(storeFolder)
  heldLock.release()
  fs.writeFileSync(getLockPath(), `1 1 ${os.hostname()}`)
  heldLock.release()
  expect(fs.readFileSync(getLockPath(), 'utf8')).toBe(`1 1 ${os.hostname()}`)
})

test('the lock of a dead process is replaced by one process at a time', () => {
  fs.writeFileSync(getLockPath(), createStaleLockText())
  fs.writeFileSync(`${getLockPath()}.taking`, '')
  expect(() => lockFolder(storeFolder)).toThrow('is being opened by another process')
  fs.rmSync(`${getLockPath()}.taking`)
  lockFolder(storeFolder).release()
})

test('an old interrupted replacement does not block the lock', () => {
  fs.writeFileSync(getLockPath(), createStaleLockText())
  fs.writeFileSync(`${getLockPath()}.taking`, '')
  fs.utimesSync(`${getLockPath()}.taking`, 1, 1)
  lockFolder(storeFolder).release()
})

test('the lock of another machine is never replaced', () => {
  fs.writeFileSync(getLockPath(), '1 1 another-machine')
  expect(() => lockFolder(storeFolder)).toThrow('process 1 of another-machine')
})

test('a clean close writes asynchronous commits to disk', async () => {
  const { db, close } = await openPglite(storeFolder)
  await db.exec('create table t (n int)')
  await db.transaction(async (tx) => {
    await tx.query("select set_config('synchronous_commit', 'off', true)")
    await tx.query('insert into t values (7)')
  })
  await close()
  const storeAfterReopening = await openPglite(storeFolder)
  expect((await storeAfterReopening.db.query('select n from t')).rows).toEqual([{ n: 7 }])
  await storeAfterReopening.close()
})
