import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'
import { SqliteStore } from './store/store'

const { folder, start } = createTestProcesses()

test('data of another version is moved aside, and a new platform is seeded', async () => {
  const dataFolder = folder()
  // Write the file in another process, because a database connection of this process would lock the
  // file until it is garbage-collected.
  const createOtherTablesScript = `const db = new (require('libsql'))(process.argv[1]);
    db.exec("CREATE TABLE customers (name TEXT PRIMARY KEY); CREATE TABLE letters (customer TEXT REFERENCES customers (name))")
    db.exec("INSERT INTO customers VALUES ('Ada'); INSERT INTO letters VALUES ('Ada')")`
  execFileSync(process.execPath, ['-e', createOtherTablesScript, join(dataFolder, 'sandbox.db')])
  const { client, process: sandbox } = await start(dataFolder, '--payments', '100')
  expect(sandbox.lines[0]).toContain('kept as')
  expect((await client.ask('/v1/payments?page_size=1000')).json.data).toHaveLength(100)
  const backupStore = new SqliteStore(join(dataFolder, 'sandbox.db.before'))
  expect(backupStore.all('SELECT name FROM customers')).toEqual([{ name: 'Ada' }])
  backupStore.close()
})

test('a failing timer is logged and dropped, and the others run', async () => {
  const sandboxFolder = folder()
  const firstSandbox = await start(sandboxFolder, '--payments', '100')
  const payout = await firstSandbox.client.payout({ status: 'created' })
  await firstSandbox.process.stop()
  const now = Date.now()
  const insertTimersScript = `const db = new (require('libsql'))(process.argv[1]);
    db.exec("INSERT INTO timers (kind, target, at) VALUES ('payment', '999999', ${now}), ('payment', (SELECT n FROM payments WHERE id = '${payout.id}'), ${now})")`
  execFileSync(process.execPath, ['-e', insertTimersScript, join(sandboxFolder, 'sandbox.db')])
  const secondSandbox = await start(sandboxFolder)
  await secondSandbox.client.control('clock', { advance_seconds: 60 })
  const response = await secondSandbox.client.ask(`/v1/payouts/${payout.id}`)
  expect((response.json.data as { status: string }).status).not.toBe('created')
  expect(secondSandbox.process.lines).toContainEqual(
    expect.stringContaining('the timer payment of 999999 failed and is dropped'),
  )
})
