import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from './harness/command'
import { type DeskAndStore, startDeskAndStore } from './harness/desk-and-store'
import { trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

let testStack: DeskAndStore
/**
 * The data folder of the dashboard. It contains the file with the signed heads (signatures of audit
 * rows).
 */
let dataDir: string

beforeAll(async () => {
  testStack = await startDeskAndStore('PostgreSQL', {
    serviceUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-this-test-0123456789',
  })
  dataDir = testStack.dashboard.dataDir
  for (const word of ['wrong', 'paydesk-demo', 'wrong'])
    await trySignIn(testStack.dashboard.url, 'viewer@paydesk.test', word)
})
afterAll(() => testStack?.stop())

const runAuditVerify = (env = {}) =>
  runCommand('audit-verify', [], {
    DATA_DIR: dataDir,
    DATABASE_URL: testStack.databaseUrl ?? '',
    ...env,
  })

test('the command reports a valid chain and stores its head outside the store', async () => {
  // The second part is optional: the dashboard may already have signed a head, at any of its three
  // rows.
  const intactChainPattern =
    /^audit chain holds: 3 rows, head [0-9a-f]{16}(, 1 signed heads up to row [123])?\n$/
  expect(await runAuditVerify()).toMatchObject({
    code: 0,
    text: expect.stringMatching(intactChainPattern),
  })
  expect(JSON.parse(fs.readFileSync(path.join(dataDir, 'audit-head.json'), 'utf8'))).toMatchObject({
    seq: 3,
  })
})

const exportKeyAsBase64 = (key: KeyObject, type: 'pkcs8' | 'spki') =>
  key.export({ format: 'der', type }).toString('base64')

test('after a key change, heads of the older key are valid only with its public key', async () => {
  await testStack.dashboard.end()
  await testStack.dashboard.restart()
  await waitUntil('a signed head', () =>
    fs.existsSync(path.join(dataDir, 'audit-heads.jsonl')) ? true : null,
  )
  const olderKeyBytes = Buffer.from(
    fs.readFileSync(path.join(dataDir, 'audit-signing-key'), 'utf8'),
    'base64',
  )
  const previousPublicKey = exportKeyAsBase64(
    createPublicKey(createPrivateKey({ key: olderKeyBytes, format: 'der', type: 'pkcs8' })),
    'spki',
  )
  const changedKeyEnv = {
    AUDIT_SIGNING_KEY: exportKeyAsBase64(generateKeyPairSync('ed25519').privateKey, 'pkcs8'),
  }
  const expectedIntactText = expect.stringMatching(
    /^audit chain holds: 3 rows, head [0-9a-f]{16}, 1 signed heads up to row 3\n$/,
  )
  expect(
    await runAuditVerify({ ...changedKeyEnv, AUDIT_SIGNING_KEYS_PREVIOUS: previousPublicKey }),
  ).toMatchObject({
    code: 0,
    text: expectedIntactText,
  })
  expect(await runAuditVerify(changedKeyEnv)).toMatchObject({
    code: 1,
    text: expect.stringContaining('none of the known keys signed'),
  })
})

test('a tail cut since then is reported on every run', async () => {
  await testStack.sql(
    `alter table audit disable trigger user; delete from audit where seq = 3;
     update audit_head set seq = 2, hash = (select hash from audit where seq = 2); alter table audit enable trigger user; select 1`,
  )
  for (let run = 0; run < 2; run += 1) {
    expect(await runAuditVerify()).toEqual({
      code: 1,
      text: 'audit chain BROKEN at row 3: the chain was cut: row 3 was there when its head was kept\n',
    })
  }
})

test('an unreadable stored head is an error', async () => {
  fs.writeFileSync(path.join(dataDir, 'audit-head.json'), '{}')
  expect(await runAuditVerify()).toMatchObject({
    code: 1,
    text: expect.stringContaining('audit-head.json is not readable'),
  })
})
