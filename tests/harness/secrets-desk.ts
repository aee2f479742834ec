import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { expect } from 'vitest'
import { type Dashboard, startDashboard } from './dashboard'
import { createIdempotencyKey, createPdfFile, type Person, signIn } from './person'
import { startPostgres } from './postgres'
import {
  apiKey,
  buildObjectWithSecrets,
  configuredSecrets,
  enteredSecrets,
  serviceSecrets,
} from './secret-values'
import {
  type ResponseBehavior,
  respondWith,
  type StubService,
  startStubService,
  wrapInEnvelope,
} from './service'
import { trySignIn } from './sign-in'
import type { StoreKind } from './store-kinds'
import { waitUntil } from './wait-until'

const account = `acct_${randomUUID()}`

/** A refusal whose message contains the API key, as some services send it. */
const respondWithKeyRefusal = respondWith(401, {
  meta: {},
  response_type: 'error',
  error: {
    code: 'invalid_api_key',
    message: `Incorrect API key provided: ${apiKey}.`,
    type: 'authentication_error',
  },
})

/** A dashboard whose service returns secrets in all its responses. */
export type SecretsDesk = {
  service: StubService
  dashboard: Dashboard
  /** URL of the database; null if the store is the embedded one. */
  databaseUrl: string | null
  person: Person
  objectIds: string[]
  /** Every response of the dashboard as text, each with a label. */
  labeledResponseTexts: [string, string][]
  /** The response of the service to a request that creates an object. */
  respondToCreate: ResponseBehavior
  stop: () => Promise<void>
}

const createListResponder = (desk: SecretsDesk) => {
  const pageMeta = { total_items: 3, page_number: 1, page_size: 50 }
  const accountsResponse = respondWith(
    200,
    wrapInEnvelope([buildObjectWithSecrets(account.replace('acct_', ''))], {
      ...pageMeta,
      total_items: 1,
    }),
  )
  const paymentsResponse = respondWith(
    200,
    wrapInEnvelope(desk.objectIds.map(buildObjectWithSecrets), pageMeta),
  )
  desk.service.lists((response, seen) => {
    const listResponse = seen.path.startsWith('/v1/accounts') ? accountsResponse : paymentsResponse
    return (seen.method === 'POST' ? desk.respondToCreate : listResponse)(response, seen)
  })
}

/** Starts a service that returns secrets, and a dashboard with this kind of store. */
export async function startSecretsDesk(kind: StoreKind): Promise<SecretsDesk> {
  const stubService = await startStubService()
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : null
  const { AUTH_SECRET, ENCRYPTION_KEY, METRICS_TOKEN } = configuredSecrets
  const env = { LOG_LEVEL: 'debug', AUTH_SECRET, ENCRYPTION_KEY, METRICS_TOKEN }
  const dashboard = await startDashboard({
    serviceUrl: stubService.url,
    apiKey,
    env,
    databaseUrl: postgres?.url,
    embeddedStore: !postgres,
  })
  const desk: SecretsDesk = {
    service: stubService,
    dashboard,
    databaseUrl: postgres?.url ?? null,
    person: await signIn(dashboard.url, 'admin'),
    objectIds: Array.from({ length: 3 }, () =>
      stubService.object((id) => respondWith(200, wrapInEnvelope(buildObjectWithSecrets(id)))),
    ),
    labeledResponseTexts: [],
    respondToCreate: () => {},
    stop: async () => {
      await dashboard.stop()
      await postgres?.stop()
      await stubService.stop()
    },
  }
  createListResponder(desk)
  return desk
}

/** Records a response, and returns its status. */
async function recordResponse(desk: SecretsDesk, label: string, response: Response) {
  desk.labeledResponseTexts.push([
    label,
    `${JSON.stringify([...response.headers])}\n${await response.text()}`,
  ])
  return response.status
}

/** Sends a read, records its response, and returns its status. */
const recordRead = async (desk: SecretsDesk, label: string, path: string, init?: RequestInit) =>
  recordResponse(desk, label, await desk.person.send(path, init))

async function recordPageResponses(desk: SecretsDesk, id: string, refusedPayoutId: string) {
  const pagePaths = [
    '/sign-in',
    '/nowhere',
    '/sandbox/payouts',
    `/sandbox/payouts/${id}`,
    `/sandbox/payouts/${refusedPayoutId}?account=${account}`,
  ]
  for (const path of pagePaths) {
    await recordRead(desk, `HTML ${path}`, path)
    await recordRead(desk, `RSC ${path}`, `${path}${path.includes('?') ? '&' : '?'}_rsc`, {
      headers: { RSC: '1' },
    })
  }
}

/**
 * Sends reads and writes of all kinds. The service accepts or refuses them, or sends a response
 * with broken JSON.
 */
async function sendAllRequests(desk: SecretsDesk) {
  const { person, service } = desk
  const [id = '', uploadPayoutId = ''] = desk.objectIds
  const keyRefusalObjectId = service.object(() => respondWithKeyRefusal)
  const brokenJsonObjectId = service.object(() =>
    respondWith(200, JSON.stringify(wrapInEnvelope(buildObjectWithSecrets('no id'))).slice(0, -9)),
  )
  await recordPageResponses(desk, id, keyRefusalObjectId)
  for (const resource of ['payouts', 'charges', 'customers', 'paykeys', 'accounts']) {
    const resourcePath = `/api/sandbox/v1/${resource}`
    expect(await recordRead(desk, `JSON ${resource}`, `${resourcePath}/${id}`)).toBe(200)
    expect(
      await recordRead(desk, `refused ${resource}`, `${resourcePath}/${keyRefusalObjectId}`),
    ).toBe(502)
  }
  expect(await recordRead(desk, 'JSON payments', '/api/sandbox/v1/payments')).toBe(200)
  const cancelPayout = (payoutId: string) =>
    person.send(`/api/sandbox/v1/payouts/${payoutId}/cancel?account=${account}`, {
      method: 'PUT',
      headers: { 'idempotency-key': createIdempotencyKey(), 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
    })
  expect(
    await recordRead(desk, 'broken read', `/api/sandbox/v1/payouts/${brokenJsonObjectId}`),
  ).toBe(502)
  expect(await recordResponse(desk, 'cancel', await cancelPayout(id))).toBe(200)
  expect(await recordResponse(desk, 'lost cancel', await cancelPayout(brokenJsonObjectId))).toBe(
    202,
  )
  const uploadReply = await person.upload(
    { id: uploadPayoutId, account },
    createPdfFile('proof.pdf'),
  )
  desk.labeledResponseTexts.push(['upload', JSON.stringify(uploadReply.body)])
  expect(uploadReply.status).toBe(200)
  expect(
    await recordResponse(desk, 'refused cancel', await cancelPayout(keyRefusalObjectId)),
  ).toBeGreaterThanOrEqual(500)
  await recordPageResponses(desk, id, keyRefusalObjectId)
}

const createCustomer = (desk: SecretsDesk, name = 'Typed Person') =>
  desk.person.send(`/api/sandbox/v1/customers?account=${account}`, {
    method: 'POST',
    headers: { 'idempotency-key': createIdempotencyKey(), 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{
        name,
        type: 'individual',
        email: enteredSecrets.email,
        phone: enteredSecrets.phone,
        device: { ip_address: serviceSecrets.ip },
      },
      address: {
        address1: enteredSecrets.address,
        city: 'Springfield',
        state: 'IL',
        zip: '62701',
      },
      compliance_profile: { ssn: enteredSecrets.ssn, dob: enteredSecrets.dob },
    }),
  })

/** Sends forms that are refused, accepted, or still unanswered when the process is killed. */
async function sendFormsWithSecrets(desk: SecretsDesk) {
  const { dashboard, service } = desk
  const signInResult = await trySignIn(
    dashboard.url,
    'admin@paydesk.test',
    configuredSecrets.password,
  )
  expect(await recordResponse(desk, 'a wrong password', signInResult.response)).toBe(401)
  expect(await recordResponse(desk, 'a form with a fault', await createCustomer(desk, ''))).toBe(
    422,
  )
  desk.respondToCreate = respondWith(422, wrapInEnvelope(null))
  expect(await recordResponse(desk, 'a refused form', await createCustomer(desk))).toBe(422)
  desk.respondToCreate = respondWith(201, wrapInEnvelope(buildObjectWithSecrets(randomUUID())))
  expect(await recordResponse(desk, 'a form', await createCustomer(desk))).toBe(201)
  desk.respondToCreate = () => {}
  const requestCountBefore = service.seen.length
  const interruptedFormPromise = createCustomer(desk).catch(() => null)
  await waitUntil('the form at the service', () =>
    service.seen.length > requestCountBefore ? true : null,
  )
  await dashboard.kill9()
  expect(await interruptedFormPromise).toBe(null)
  await dashboard.restart()
}

/** Downloads the exports, and opens the page of the request log. */
async function downloadExports(desk: SecretsDesk) {
  for (const list of ['customers', 'payments', 'paykeys'])
    expect(
      await recordRead(desk, `the export of ${list}`, `/api/sandbox/desk/exports/${list}`),
    ).toBe(200)
  const auditResponse = await desk.person.send('/api/sandbox/desk/audit/export')
  const auditExportFiles = Object.values(
    unzipSync(new Uint8Array(await auditResponse.arrayBuffer())),
  )
  desk.labeledResponseTexts.push([
    'the export of the audit',
    auditExportFiles.map((file) => strFromU8(file)).join('\n'),
  ])
  expect(await recordRead(desk, 'Activity', '/sandbox/activity?tab=requests')).toBe(200)
}

/**
 * Sends requests of all kinds through the dashboard, and records its responses. The service accepts
 * or refuses the requests, or does not respond.
 */
export async function exerciseSecretsDesk(desk: SecretsDesk): Promise<void> {
  const unansweredFormPromise = createCustomer(desk)
  await sendAllRequests(desk)
  expect(await recordResponse(desk, 'a form without an answer', await unansweredFormPromise)).toBe(
    202,
  )
  await sendFormsWithSecrets(desk)
  await downloadExports(desk)
}
