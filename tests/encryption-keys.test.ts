import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Dashboard, startDashboard, testEncryptionKey } from './harness/dashboard'
import { audited } from './harness/objects'
import { newKey, type Person, pdf, signIn, trySignIn } from './harness/person'
import type { MadePayout, Sandbox } from './harness/sandbox'
import { until } from './harness/until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const another = 'another-encryption-key-of-this-run-9876543210'
const anotherSession = 'another-session-secret-of-this-run-9876543210'

let desk: WholeDesk
let sandbox: Sandbox
let dashboard: Dashboard
let db: Client
let operator: Person

beforeEach(async () => {
  desk = await startWholeDesk()
  ;({ sandbox, dashboard, db, operator } = desk)
})
afterEach(() => desk?.stop())

type Open = { id: string; payout: MadePayout }

type Write = (payout: MadePayout) => Promise<{ status: number; body: { action?: { id: string } } }>

/** An action whose outcome is not known, and which nobody asks about until `due`. */
async function opened(operation: string, write: Write): Promise<Open> {
  const payout = await sandbox.makePayout()
  await sandbox.fault({ operation, match: payout.id, kind: 'status', status: 500, body: 'none', count: null })
  const reply = await write(payout)
  expect(reply.status).toBe(202)
  const id = reply.body.action?.id ?? ''
  await db.query(`update actions set next_check_at = now() + interval '1 hour' where id = $1`, [id])
  return { id, payout }
}

async function openWrites(): Promise<Open[]> {
  const open = [
    await opened('payouts.release', (payout) => operator.decide('release', payout, newKey())),
    await opened('payouts.authorize', (payout) => operator.upload(payout, pdf('proof.pdf', 700_000))),
  ]
  await sandbox.clearFaults()
  return open
}

const due = () => db.query(`update actions set next_check_at = now() where state = 'unknown'`)

const settles = ({ id }: Open, state: string) =>
  until(state, async () => ((await db.query('select state from actions where id = $1', [id])).rows[0]?.state === state ? true : null))

/** What arrived for an object: each with its key and the hash of its bytes. */
const sent = async ({ payout }: Open, since = 0) =>
  (await sandbox.requests(since)).filter((row) => row.method !== 'GET' && row.path.includes(payout.id))

/** Restarts with other settings and has the open actions sent again: the same bytes, once each. */
async function replaysUnder(settings: Record<string, string>, open: Open[]): Promise<void> {
  await due()
  await dashboard.restart(settings)
  for (const each of open) {
    await settles(each, 'applied')
    const requests = await sent(each)
    expect(requests.length).toBeGreaterThan(3)
    expect(new Set(requests.map((row) => `${row.idempotency_key} ${row.body_sha256}`)).size).toBe(1)
    expect(await sandbox.journal(each.payout.id)).toHaveLength(1)
  }
}

/** The first eight bytes of what is encrypted: the format and the id of the key. */
const keysOfOpenBodies = async () =>
  (await db.query(`select distinct encode(substring(body from 1 for 8), 'hex') as head from actions where body is not null`)).rows.map(
    (row) => String(row.head),
  )

test('the session secret is rotated while actions are open: they settle, and locked addresses stay locked', async () => {
  const open = await openWrites()
  for (let guess = 0; guess < 10; guess += 1) await trySignIn(dashboard.url, 'viewer@paydesk.test', `guess ${guess}`)
  await dashboard.kill9()
  await replaysUnder({ AUTH_SECRET: anotherSession }, open)
  expect((await trySignIn(dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')).ok).toBe(false)
  const subjects = (await audited(db, 'session.sign_in.refused')).map((row) => row.subject)
  expect(subjects).toHaveLength(11)
  expect(new Set(subjects).size).toBe(1)
})

test('the encryption key is rotated while actions are open: they settle, new rows use the new key, the old one can go', async () => {
  const open = await openWrites()
  const before = await keysOfOpenBodies()
  expect(before).toHaveLength(1)
  await dashboard.kill9()
  await replaysUnder({ ENCRYPTION_KEY: another, ENCRYPTION_KEY_PREVIOUS: testEncryptionKey }, open)
  operator = await signIn(dashboard.url)
  const later = await openWrites()
  const { rows } = await db.query(
    `select distinct encode(substring(body from 1 for 8), 'hex') as head from actions where state = 'unknown' and body is not null`,
  )
  expect(rows).toHaveLength(1)
  expect(before).not.toContain(rows[0].head)
  await dashboard.kill9()
  await replaysUnder({ ENCRYPTION_KEY: another }, later)
})

const proofOf = async (id: string) => (await operator.action(id)).body.action?.proof

test('what was said of a proof outlasts its key: it is re-encrypted, and the old key can go; given up for lost, it is told so', async () => {
  const payout = await sandbox.makePayout()
  const { action } = (await operator.upload(payout, pdf('proof.pdf'))).body
  const id = action?.id ?? ''
  expect(action?.proof).toMatchObject({ authorized_by: 'Ana Example' })
  const keyId = async () =>
    (await db.query(`select encode(substring(proof from 5 for 4), 'hex') as key from actions where id = $1`, [id])).rows[0]?.key as string
  const first = await keyId()
  await dashboard.kill9()
  await dashboard.restart({ ENCRYPTION_KEY: another, ENCRYPTION_KEY_PREVIOUS: testEncryptionKey })
  await until('it to be encrypted with the new key', async () => ((await keyId()) === first ? null : true))
  await dashboard.kill9()
  await dashboard.restart({ ENCRYPTION_KEY: another })
  operator = await signIn(dashboard.url)
  expect(await proofOf(id)).toMatchObject({ authorized_by: 'Ana Example' })

  const second = await keyId()
  await dashboard.kill9()
  await db.query('delete from kept_keys')
  await expect(dashboard.restart({ ENCRYPTION_KEY: testEncryptionKey })).rejects.toThrow(
    `ENCRYPTION_KEY_PREVIOUS: must hold the key ${second}, under which 1 details of authorization proofs are encrypted`,
  )
  await dashboard.restart({ ENCRYPTION_KEY: testEncryptionKey, ENCRYPTION_KEY_LOST: second })
  operator = await signIn(dashboard.url)
  expect(await proofOf(id)).toBe('unreadable')
})

describe('without the key of open actions', () => {
  test('nothing starts and nothing is sent; the words name setting and key; given up for lost, a person decides', async () => {
    const open = await openWrites()
    const seq = await sandbox.lastSeq()
    await due()
    await dashboard.kill9()
    const refused = await dashboard.restart({ ENCRYPTION_KEY: another }).then(
      () => '',
      (error: Error) => error.message,
    )
    const [, id = ''] = /ENCRYPTION_KEY_PREVIOUS: must hold the key ([0-9a-f]{8}), which this store was last used with/.exec(refused) ?? []
    expect(id).not.toBe('')
    expect(refused).toContain(`put ${id} into ENCRYPTION_KEY_LOST`)
    expect(refused).not.toContain(another)
    await dashboard.restart({ ENCRYPTION_KEY: another, ENCRYPTION_KEY_LOST: id })
    for (const each of open) {
      await settles(each, 'needs_human')
      expect(await sent(each, seq)).toEqual([])
    }
    operator = await signIn(dashboard.url)
    expect(await operator.action(open[0]?.id ?? '')).toMatchObject({
      status: 409,
      body: { error: { code: 'needs_human', detail: expect.stringContaining('is lost') }, action: { state: 'needs_human' } },
    })
  })

  test('a second instance on the same store does not start either', async () => {
    const beside = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: desk.postgres.url }
    await expect(startDashboard({ ...beside, env: { ENCRYPTION_KEY: another } })).rejects.toThrow(/ENCRYPTION_KEY_PREVIOUS: must hold/)
    await (await startDashboard(beside)).stop()
  })
})

test('actions from before there were encryption keys settle, with the session secret of then', async () => {
  const open = await openWrites()
  const session = 'a-secret-of-this-test-run-0123456789abcdef'
  const encryptBefore = (plain: Buffer, place: string) => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', session, 'paydesk', 'seal', 32)), nonce)
    cipher.setAAD(Buffer.from(place))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  const [release] = open
  const body = Buffer.from(JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }))
  await db.query('update actions set body = $1 where id = $2', [encryptBefore(body, `actions/${release?.id}/body`), release?.id])
  await dashboard.kill9()
  const refused = dashboard.restart({ AUTH_SECRET: anotherSession })
  await expect(refused).rejects.toThrow(/ENCRYPTION_KEY_PREVIOUS: must hold the AUTH_SECRET from before it was changed, under which 1 open/)
  await replaysUnder({ AUTH_SECRET: anotherSession, ENCRYPTION_KEY_PREVIOUS: session }, open)
})
