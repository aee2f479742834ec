import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '@/tests/harness/command'
import { type Dashboard, startDashboard, testEncryptionKey } from '@/tests/harness/dashboard'
import { createIdempotencyKey, type Person, signIn } from '@/tests/harness/person'
import { type Postgres, startPostgres } from '@/tests/harness/postgres'
import { type Sandbox, startSandbox } from '@/tests/harness/sandbox'
import { trySignIn } from '@/tests/harness/sign-in'
import { waitUntil } from '@/tests/harness/wait-until'
import {
  buildWebhookEvent,
  buildWebhookPayout,
  createWebhookSecret,
  deliverWebhook,
} from '@/tests/harness/webhook'
import { createPersonPerRole } from '@/tests/harness/whole-desk'

const encodeKey = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
  key.export({ format: 'der', type: type as 'spki' }).toString('base64')

const createKeyPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { private: encodeKey(privateKey, 'pkcs8'), public: encodeKey(publicKey, 'spki') }
}

const password = 'paydesk-demo'
const auditKeyPair = createKeyPair()
const webhookSecret = createWebhookSecret()

let sandbox: Sandbox
let postgres: Postgres
let db: Client
let instances: Dashboard[]
/** The environment variables with which both instances run. `restartEachWithSettings` changes them. */
let instanceSettings: Record<string, string>

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  instanceSettings = {
    AUDIT_SIGNING_KEY: auditKeyPair.private,
    SERVICE_SANDBOX_WEBHOOK_SECRET: webhookSecret,
  }
  const instanceOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    embedded: false,
    databaseUrl: postgres.url,
    env: instanceSettings,
  }
  instances = [await startDashboard(instanceOptions), await startDashboard(instanceOptions)]
  await createPersonPerRole(postgres.url)
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  for (const instance of instances ?? []) await instance.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

const signInOperator = ({ url }: Dashboard): Promise<Person> => signIn(url, 'operator@company.test')

/**
 * Cancels a payout through an instance. Expects that the service applied exactly one write to the
 * payout.
 */
async function cancelPayoutOn(instance: Dashboard): Promise<void> {
  const payout = await sandbox.makePayout()
  expect((await (await signInOperator(instance)).decide('cancel', payout)).status).toBe(200)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
}

/**
 * Changes some settings and restarts the instances one by one. After each restart, calls the given
 * check for every instance.
 */
async function restartEachWithSettings(
  settingsChange: Record<string, string>,
  checkInstance: (instance: Dashboard) => Promise<void> = cancelPayoutOn,
): Promise<void> {
  instanceSettings = { ...instanceSettings, ...settingsChange }
  for (const instance of instances) {
    expect(await instance.end()).toBe(0)
    await instance.restart(instanceSettings)
    for (const desk of instances) await checkInstance(desk)
  }
}

/**
 * Sends a release that the service answers with 500, so that its outcome is unknown. Delays the
 * next check of the outcome by an hour, so that only `waitForActionState` makes it due.
 */
async function sendUnknownOutcomeRelease(instance: Dashboard) {
  const payout = await sandbox.makePayout()
  await sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: null,
  })
  const { status, body } = await (await signInOperator(instance)).decide(
    'release',
    payout,
    createIdempotencyKey(),
  )
  expect(status).toBe(202)
  await db.query(`update actions set next_check_at = now() + interval '1 hour' where id = $1`, [
    body.action?.id,
  ])
  await sandbox.clearFaults()
  return { payout, id: body.action?.id ?? '' }
}

/** Makes the next check of an action’s outcome due now. Waits until the action has this state. */
async function waitForActionState(id: string, state: string): Promise<void> {
  await db.query('update actions set next_check_at = now() where id = $1', [id])
  const readActionState = async () =>
    (await db.query('select state from actions where id = $1', [id])).rows[0]?.state
  await waitUntil(`an action that is ${state}`, async () =>
    (await readActionState()) === state ? true : null,
  )
}

test('AUTH_SECRET: people sign in again, and both instances accept the new session', async () => {
  const earlierSession = await signInOperator(instances[0] as Dashboard)
  await restartEachWithSettings({ AUTH_SECRET: 'another-session-secret-of-this-run-9876543210' })
  expect((await earlierSession.send('/api/sandbox/v1/payments')).status).toBe(401)
  const [first, second] = instances as [Dashboard, Dashboard]
  const { ok, jar } = await trySignIn(first.url, 'operator@company.test', password)
  expect(ok).toBe(true)
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  expect(
    (await fetch(`${second.url}/api/sandbox/v1/payments`, { headers: { cookie } })).status,
  ).toBe(200)
})

test('ENCRYPTION_KEY: an open release has one effect, and no request fails on either instance', async () => {
  const anotherEncryptionKey = 'another-encryption-key-of-this-run-9876543210'
  const [first, second] = instances as [Dashboard, Dashboard]
  const unsettledAction = await sendUnknownOutcomeRelease(first)
  await restartEachWithSettings({ ENCRYPTION_KEY_PREVIOUS: anotherEncryptionKey })
  await restartEachWithSettings({
    ENCRYPTION_KEY: anotherEncryptionKey,
    ENCRYPTION_KEY_PREVIOUS: testEncryptionKey,
  })
  await waitForActionState(unsettledAction.id, 'applied')
  expect(await sandbox.journal(unsettledAction.payout.id)).toHaveLength(1)
  const laterAction = await sendUnknownOutcomeRelease(second)
  await restartEachWithSettings({ ENCRYPTION_KEY_PREVIOUS: '' })
  await waitForActionState(laterAction.id, 'applied')
  expect(await sandbox.journal(laterAction.payout.id)).toHaveLength(1)
})

test('AUDIT_SIGNING_KEY: the audit log is valid on both instances, and its page opens', async () => {
  const anotherAuditKeyPair = createKeyPair()
  await restartEachWithSettings({
    AUDIT_SIGNING_KEY: anotherAuditKeyPair.private,
    AUDIT_SIGNING_KEYS_PREVIOUS: auditKeyPair.public,
  })
  for (const { url, dataDir } of instances) {
    const env = { ...instanceSettings, DATABASE_URL: postgres.url, DATA_DIR: dataDir }
    expect(await runCommand('audit-verify', [], env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('audit chain holds'),
    })
    const admin = await signIn(url, 'admin@company.test')
    const auditPageResponse = await admin.send('/sandbox/audit')
    expect([auditPageResponse.status, await auditPageResponse.text()]).toEqual([
      200,
      expect.not.stringContaining('could not be shown'),
    ])
  }
})

test('webhook secret: both secrets are valid during the change, and then only the new one', async () => {
  const anotherWebhookSecret = createWebhookSecret()
  const deliverEventTo = (instance: Dashboard, secret: string) =>
    deliverWebhook({
      desk: instance.url,
      secret,
      body: buildWebhookEvent('payout.event.v1', buildWebhookPayout(), randomUUID()),
    }).then(({ status }) => status)
  const expectOldSecretAccepted = async (instance: Dashboard) =>
    expect(await deliverEventTo(instance, webhookSecret)).toBe(204)
  await restartEachWithSettings(
    {
      SERVICE_SANDBOX_WEBHOOK_SECRET: anotherWebhookSecret,
      SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: webhookSecret,
    },
    expectOldSecretAccepted,
  )
  for (const instance of instances)
    expect(await deliverEventTo(instance, anotherWebhookSecret)).toBe(204)
  await restartEachWithSettings({ SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: '' }, async (instance) =>
    expect(await deliverEventTo(instance, anotherWebhookSecret)).toBe(204),
  )
  for (const instance of instances) expect(await deliverEventTo(instance, webhookSecret)).toBe(400)
})

test('API key: reads continue, and an action open under the old key waits for a person', async () => {
  const [first] = instances as [Dashboard]
  const unsettledRelease = await sendUnknownOutcomeRelease(first)
  const expectCanReadPayments = async (instance: Dashboard) => {
    expect((await (await signInOperator(instance)).send('/api/sandbox/v1/payments')).status).toBe(
      200,
    )
  }
  await restartEachWithSettings(
    { SERVICE_SANDBOX_API_KEY: sandbox.keys.read_only },
    expectCanReadPayments,
  )
  await waitForActionState(unsettledRelease.id, 'needs_human')
  await restartEachWithSettings(
    { SERVICE_SANDBOX_API_KEY: sandbox.keys.full },
    expectCanReadPayments,
  )
  for (const instance of instances) await cancelPayoutOn(instance)
})
