import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './harness/command'
import { startDashboard } from './harness/dashboard'
import { type PostgresServer, startPostgresServer } from './harness/postgres'

let dataFolder: string
let postgres: PostgresServer

beforeAll(async () => {
  dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-tls-'))
  postgres = await startPostgresServer({ tls: true })
})
afterAll(async () => {
  await postgres?.stop()
  fs.rmSync(dataFolder, { recursive: true, force: true })
})

const runMigrate = (url: string) =>
  runCommand('db-migrate', [], { DATABASE_URL: url, DATA_DIR: dataFolder })

describe('a database on another machine without TLS', () => {
  const urlWithoutTls = 'postgres://paydesk:canary-word@db.company.test/desk'

  test('stops a command with one line', async () => {
    const { code, text } = await runMigrate(urlWithoutTls)
    expect(code).toBe(1)
    expect(text).toMatch(/^DATABASE_URL: must end in \?sslmode=verify-full [^\n]+\n$/)
    expect(text).not.toContain('canary')
  })

  test('stops the server with one line, also if the URL hides the host', async () => {
    const startPromise = startDashboard({
      serviceUrl: 'http://127.0.0.1:9',
      apiKey: 'key-of-this-test-0123456789',
      databaseUrl: 'postgres://paydesk:canary-word@localhost/desk?host=db.company.test',
      env: { TEST_TIMES: '' },
    })
    await expect(startPromise).rejects.toThrow(
      /Paydesk cannot start: DATABASE_URL: must end in \?sslmode=verify-full /,
    )
    await expect(startPromise).rejects.not.toThrow(/canary/)
  })
})

test('verify-full rejects an untrusted certificate, and accepts it with its configured authority', async () => {
  const refusedResult = await runMigrate(`${postgres.url}?sslmode=verify-full`)
  expect(refusedResult).toEqual({
    code: 1,
    text: 'DATABASE_URL: no connection to the database (DEPTH_ZERO_SELF_SIGNED_CERT)\n',
  })
  const trustedResult = await runMigrate(
    `${postgres.url}?sslmode=verify-full&sslrootcert=${postgres.certificate}`,
  )
  expect(trustedResult).toEqual({
    code: 0,
    text: `the store is up to date: the database postgres at ${new URL(postgres.url).host}\n`,
  })
})
