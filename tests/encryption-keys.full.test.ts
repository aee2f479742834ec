import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Dashboard, startDashboard, testEncryptionKey } from './harness/dashboard'
import { readAuditRows } from './harness/objects'
import { createActionHelpers } from './harness/open-actions'
import { createPdfFile, type Person, signIn } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

const anotherEncryptionKey = 'another-encryption-key-of-this-run-9876543210'
const anotherSessionSecret = 'another-session-secret-of-this-run-9876543210'

let testStack: IsolatedDesk
let sandbox: Sandbox
let dashboard: Dashboard
let db: Client
let operator: Person
let actionHelpers: ReturnType<typeof createActionHelpers>

beforeEach(async () => {
  testStack = await startWholeDesk()
  ;({ sandbox, dashboard, db, operator } = testStack)
  actionHelpers = createActionHelpers(testStack)
})
afterEach(() => testStack?.stop())

/**
 * Returns the first eight bytes of every stored request body in hex, without duplicates. They
 * contain the format and the id of the encryption key.
 */
const readActionBodyKeyIds = async () =>
  (
    await db.query(
      `select distinct encode(substring(body from 1 for 8), 'hex') as head from actions where body is not null`,
    )
  ).rows.map((row) => String(row.head))

test('open actions settle across an encryption key rotation, and the old key can then be removed', async () => {
  const openActions = await actionHelpers.openWrites(operator)
  const keyIdsBefore = await readActionBodyKeyIds()
  expect(keyIdsBefore).toHaveLength(1)
  await dashboard.kill9()
  await actionHelpers.replaysUnder(
    { ENCRYPTION_KEY: anotherEncryptionKey, ENCRYPTION_KEY_PREVIOUS: testEncryptionKey },
    openActions,
  )
  operator = await signIn(dashboard.url)
  const laterActions = await actionHelpers.openWrites(operator)
  const { rows } = await db.query(
    `select distinct encode(substring(body from 1 for 8), 'hex') as head from actions where state = 'unknown' and body is not null`,
  )
  expect(rows).toHaveLength(1)
  expect(keyIdsBefore).not.toContain(rows[0].head)
  await dashboard.kill9()
  await actionHelpers.replaysUnder({ ENCRYPTION_KEY: anotherEncryptionKey }, laterActions)
})

test('open actions settle across a session secret rotation, and locked addresses stay locked', async () => {
  const unsettledActions = await actionHelpers.openWrites(operator)
  for (let guess = 0; guess < 10; guess += 1)
    await trySignIn(dashboard.url, 'viewer@paydesk.test', `guess ${guess}`)
  await dashboard.kill9()
  await actionHelpers.replaysUnder({ AUTH_SECRET: anotherSessionSecret }, unsettledActions)
  expect((await trySignIn(dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')).ok).toBe(false)
  const refusedSignInSubjects = (await readAuditRows(db, 'session.sign_in.refused')).map(
    (row) => row.subject,
  )
  expect(refusedSignInSubjects).toHaveLength(11)
  expect(new Set(refusedSignInSubjects).size).toBe(1)
})

const readProof = async (id: string) => (await operator.action(id)).body.action?.proof

const openDocument = (id: string) => operator.send(`/api/sandbox/desk/documents/${id}`)

test('a proof and its copy are re-encrypted with a new key, and lost if their key was declared lost', async () => {
  const payout = await sandbox.makePayout()
  const proofFile = createPdfFile('proof.pdf', 600_000)
  const { action } = (await operator.upload(payout, proofFile)).body
  const id = action?.id ?? ''
  expect(action?.proof).toMatchObject({ authorized_by: 'Ana Example' })
  const readProofKeyId = async () =>
    (
      await db.query(
        `select encode(substring(proof from 5 for 4), 'hex') as key from actions where id = $1`,
        [id],
      )
    ).rows[0]?.key as string
  const readChunkKeyIds = async () =>
    (
      await db.query(
        `select encode(substring(bytes from 5 for 4), 'hex') as key from payload_chunks where payload_id = $1`,
        [id],
      )
    ).rows.map(({ key }) => key as string)
  const firstKeyId = await readProofKeyId()
  expect(await readChunkKeyIds()).toEqual([firstKeyId, firstKeyId])
  await dashboard.kill9()
  await dashboard.restart({
    ENCRYPTION_KEY: anotherEncryptionKey,
    ENCRYPTION_KEY_PREVIOUS: testEncryptionKey,
  })
  await waitUntil('both to be encrypted with the new key', async () =>
    [await readProofKeyId(), ...(await readChunkKeyIds())].includes(firstKeyId) ? null : true,
  )
  await dashboard.kill9()
  await dashboard.restart({ ENCRYPTION_KEY: anotherEncryptionKey })
  operator = await signIn(dashboard.url)
  expect(await readProof(id)).toMatchObject({ authorized_by: 'Ana Example' })
  expect(Buffer.from(await (await openDocument(id)).arrayBuffer()).equals(proofFile.bytes)).toBe(
    true,
  )

  const secondKeyId = await readProofKeyId()
  await dashboard.kill9()
  await db.query('delete from kept_keys')
  const restartError = await dashboard.restart({ ENCRYPTION_KEY: testEncryptionKey }).then(
    () => '',
    (error: Error) => error.message,
  )
  for (const what of ['details of authorization proofs', 'copies of authorization proofs'])
    expect(restartError).toContain(
      `ENCRYPTION_KEY_PREVIOUS: must hold the key ${secondKeyId}, under which 1 ${what} are encrypted`,
    )
  await dashboard.restart({ ENCRYPTION_KEY: testEncryptionKey, ENCRYPTION_KEY_LOST: secondKeyId })
  operator = await signIn(dashboard.url)
  expect(await readProof(id)).toBe('unreadable')
  expect(await (await openDocument(id)).json()).toMatchObject({
    error: { code: 'not_found', detail: 'The key that encrypted this copy is lost.' },
  })
})

test('a second instance without the key of open actions does not start', async () => {
  const instanceOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: testStack.postgres.url,
  }
  await expect(
    startDashboard({ ...instanceOptions, env: { ENCRYPTION_KEY: anotherEncryptionKey } }),
  ).rejects.toThrow(/ENCRYPTION_KEY_PREVIOUS: must hold/)
  await (await startDashboard(instanceOptions)).stop()
})

test('actions from before encryption keys settle with the session secret of that time', async () => {
  const actionsBeforeKeys = await actionHelpers.openWrites(operator)
  const sessionSecret = 'a-secret-of-this-test-run-0123456789abcdef'
  const encryptInLegacyFormat = (plain: Buffer, place: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', sessionSecret, 'paydesk', 'seal', 32)),
      nonce,
    )
    cipher.setAAD(Buffer.from(place))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  const [release] = actionsBeforeKeys
  const body = Buffer.from(
    JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
  )
  await db.query('update actions set body = $1 where id = $2', [
    encryptInLegacyFormat(body, `actions/${release?.id}/body`),
    release?.id,
  ])
  await dashboard.kill9()
  const restartPromise = dashboard.restart({ AUTH_SECRET: anotherSessionSecret })
  await expect(restartPromise).rejects.toThrow(
    /ENCRYPTION_KEY_PREVIOUS: must hold the AUTH_SECRET from before it was changed, under which 1 open/,
  )
  await actionHelpers.replaysUnder(
    { AUTH_SECRET: anotherSessionSecret, ENCRYPTION_KEY_PREVIOUS: sessionSecret },
    actionsBeforeKeys,
  )
})

test('without the key of open actions the start fails, and if the key is declared lost a person decides', async () => {
  const actionsWithLostKey = await actionHelpers.openWrites(operator)
  const seqBefore = await sandbox.lastSeq()
  await dashboard.kill9()
  await actionHelpers.due()
  const restartError = await dashboard.restart({ ENCRYPTION_KEY: anotherEncryptionKey }).then(
    () => '',
    (error: Error) => error.message,
  )
  const [, id = ''] =
    /ENCRYPTION_KEY_PREVIOUS: must hold the key ([0-9a-f]{8}), which this store was last used with/.exec(
      restartError,
    ) ?? []
  expect(id).not.toBe('')
  expect(restartError).toContain(`put ${id} into ENCRYPTION_KEY_LOST`)
  expect(restartError).not.toContain(anotherEncryptionKey)
  await dashboard.restart({ ENCRYPTION_KEY: anotherEncryptionKey, ENCRYPTION_KEY_LOST: id })
  for (const openAction of actionsWithLostKey) {
    await actionHelpers.settles(openAction, 'needs_human')
    expect(await actionHelpers.sent(openAction, seqBefore)).toEqual([])
  }
  operator = await signIn(dashboard.url)
  expect(await operator.action(actionsWithLostKey[0]?.id ?? '')).toMatchObject({
    status: 409,
    body: {
      error: { code: 'needs_human', detail: expect.stringContaining('is lost') },
      action: { state: 'needs_human' },
    },
  })
})
