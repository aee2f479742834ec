import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBuiltPages } from './harness/built-pages'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { dumpAllRows, findSecretParts, findWords, listFiles } from './harness/leaks'
import {
  createIdempotencyKey,
  createPdfFile,
  type Person,
  signIn,
  trySignIn,
} from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import {
  apiKey,
  buildObjectWithSecrets,
  configuredSecrets,
  enteredSecrets,
  sensitiveWords,
  serviceSecrets,
} from './harness/secret-values'
import {
  type ResponseBehavior,
  respondWith,
  type Service,
  startService,
  wrapInEnvelope,
} from './harness/service'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const account = `acct_${randomUUID()}`

/** A refusal whose message contains the API key, as some services send it. */
const refusalWithKey = respondWith(401, {
  meta: {},
  response_type: 'error',
  error: {
    code: 'invalid_api_key',
    message: `Incorrect API key provided: ${apiKey}.`,
    type: 'authentication_error',
  },
})

describe.each(storeKinds)('on %s', (kind) => {
  let stubService: Service
  let postgres: Postgres | null
  let dashboard: Dashboard
  let person: Person
  let objectIds: string[]
  const labeledResponseTexts: [string, string][] = []
  let respondToCreate: ResponseBehavior = () => {}

  beforeAll(async () => {
    stubService = await startService()
    postgres = kind === 'PostgreSQL' ? await startPostgres() : null
    const { AUTH_SECRET, ENCRYPTION_KEY, METRICS_TOKEN } = configuredSecrets
    const env = { LOG_LEVEL: 'debug', AUTH_SECRET, ENCRYPTION_KEY, METRICS_TOKEN }
    dashboard = await startDashboard({
      serviceUrl: stubService.url,
      apiKey,
      env,
      databaseUrl: postgres?.url,
      embeddedStore: !postgres,
    })
    person = await signIn(dashboard.url, 'admin')
    objectIds = Array.from({ length: 3 }, () =>
      stubService.object((id) => respondWith(200, wrapInEnvelope(buildObjectWithSecrets(id)))),
    )
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
      wrapInEnvelope(objectIds.map(buildObjectWithSecrets), pageMeta),
    )
    stubService.lists((response, seen) => {
      const listResponse = seen.path.startsWith('/v1/accounts')
        ? accountsResponse
        : paymentsResponse
      return (seen.method === 'POST' ? respondToCreate : listResponse)(response, seen)
    })
    const unansweredFormPromise = createCustomer('Typed Person')
    await sendAllRequests()
    expect(await recordResponse('a form without an answer', await unansweredFormPromise)).toBe(202)
    await sendForms()
    await downloadExports()
  })
  afterAll(async () => {
    await dashboard?.stop()
    await postgres?.stop()
    await stubService?.stop()
  })

  const recordResponse = async (label: string, response: Response) => {
    labeledResponseTexts.push([
      label,
      `${JSON.stringify([...response.headers])}\n${await response.text()}`,
    ])
    return response.status
  }

  async function openPages(id: string, refusedPayoutId: string) {
    const paths = [
      '/sign-in',
      '/nowhere',
      '/sandbox/payouts',
      `/sandbox/payouts/${id}`,
      `/sandbox/payouts/${refusedPayoutId}?account=${account}`,
    ]
    for (const path of paths) {
      await recordResponse(`HTML ${path}`, await person.send(path))
      await recordResponse(
        `RSC ${path}`,
        await person.send(`${path}${path.includes('?') ? '&' : '?'}_rsc`, {
          headers: { RSC: '1' },
        }),
      )
    }
  }

  /**
   * Sends reads and writes of all kinds. The service accepts or refuses them, or sends a response
   * with broken JSON.
   */
  async function sendAllRequests() {
    const [id = '', uploadPayoutId = ''] = objectIds
    const refusedId = stubService.object(() => refusalWithKey)
    const brokenId = stubService.object(() =>
      respondWith(
        200,
        JSON.stringify(wrapInEnvelope(buildObjectWithSecrets('no id'))).slice(0, -9),
      ),
    )
    await openPages(id, refusedId)
    for (const resource of ['payouts', 'charges', 'customers', 'paykeys', 'accounts']) {
      expect(
        await recordResponse(
          `JSON ${resource}`,
          await person.send(`/api/sandbox/v1/${resource}/${id}`),
        ),
      ).toBe(200)
      expect(
        await recordResponse(
          `refused ${resource}`,
          await person.send(`/api/sandbox/v1/${resource}/${refusedId}`),
        ),
      ).toBe(502)
    }
    expect(
      await recordResponse('JSON payments', await person.send('/api/sandbox/v1/payments')),
    ).toBe(200)
    const cancelPayout = (payoutId: string) =>
      person.send(`/api/sandbox/v1/payouts/${payoutId}/cancel?account=${account}`, {
        method: 'PUT',
        headers: { 'idempotency-key': createIdempotencyKey(), 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'AUTH_PROOF_OK: the proof was received and checked' }),
      })
    expect(
      await recordResponse('broken read', await person.send(`/api/sandbox/v1/payouts/${brokenId}`)),
    ).toBe(502)
    expect(await recordResponse('cancel', await cancelPayout(id))).toBe(200)
    expect(await recordResponse('lost cancel', await cancelPayout(brokenId))).toBe(202)
    const uploadReply = await person.upload(
      { id: uploadPayoutId, account },
      createPdfFile('proof.pdf'),
    )
    labeledResponseTexts.push(['upload', JSON.stringify(uploadReply.body)])
    expect(uploadReply.status).toBe(200)
    expect(
      await recordResponse('refused cancel', await cancelPayout(refusedId)),
    ).toBeGreaterThanOrEqual(500)
    await openPages(id, refusedId)
  }

  const createCustomer = (name: string) =>
    person.send(`/api/sandbox/v1/customers?account=${account}`, {
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
  async function sendForms() {
    const signInResult = await trySignIn(
      dashboard.url,
      'admin@paydesk.test',
      configuredSecrets.password,
    )
    expect(await recordResponse('a wrong password', signInResult.response)).toBe(401)
    expect(await recordResponse('a form with a fault', await createCustomer(''))).toBe(422)
    respondToCreate = respondWith(422, wrapInEnvelope(null))
    expect(await recordResponse('a refused form', await createCustomer('Typed Person'))).toBe(422)
    respondToCreate = respondWith(201, wrapInEnvelope(buildObjectWithSecrets(randomUUID())))
    expect(await recordResponse('a form', await createCustomer('Typed Person'))).toBe(201)
    respondToCreate = () => {}
    const requestCountBefore = stubService.seen.length
    const cutFormPromise = createCustomer('Typed Person').catch(() => null)
    await waitUntil('the form at the service', () =>
      stubService.seen.length > requestCountBefore ? true : null,
    )
    await dashboard.kill9()
    expect(await cutFormPromise).toBe(null)
    await dashboard.restart()
  }

  /** Downloads the exports, and opens the page of the request log. */
  async function downloadExports() {
    for (const list of ['customers', 'payments', 'paykeys'])
      expect(
        await recordResponse(
          `the export of ${list}`,
          await person.send(`/api/sandbox/desk/exports/${list}`),
        ),
      ).toBe(200)
    const auditResponse = await person.send('/api/sandbox/desk/audit/export')
    const files = Object.values(unzipSync(new Uint8Array(await auditResponse.arrayBuffer())))
    labeledResponseTexts.push([
      'the export of the audit',
      files.map((file) => strFromU8(file)).join('\n'),
    ])
    expect(
      await recordResponse('Activity', await person.send('/sandbox/activity?tab=requests')),
    ).toBe(200)
  }

  const readSearchedTexts = async (): Promise<[string, Buffer | string][]> => [
    ...labeledResponseTexts,
    ['the log', dashboard.log()],
    ...(postgres ? [['the tables', await dumpAllRows(postgres.url)] as [string, string]] : []),
    ...listFiles(dashboard.dataDir).map((file): [string, Buffer] => [file, fs.readFileSync(file)]),
  ]

  test('the searched texts contain real data, and the service received the key', () => {
    expect(stubService.seen.length).toBeGreaterThan(20)
    expect(
      stubService.seen.every((entry) => entry.headers.authorization === `Bearer ${apiKey}`),
    ).toBe(true)
    expect(
      labeledResponseTexts.filter(([, text]) => text.includes('12500')).length,
    ).toBeGreaterThan(5)
    expect(
      labeledResponseTexts.filter(
        ([what, text]) => what.startsWith('RSC') && text.includes('text/x-component'),
      ).length,
    ).toBeGreaterThan(5)
    expect(findSecretParts(`!${apiKey.slice(40, 53)}!`, apiKey)).toEqual([apiKey.slice(40, 53)])
    expect(dashboard.log()).toContain('action.attempt')
    for (const value of Object.values(enteredSecrets))
      expect(stubService.seen.filter(({ body }) => body.includes(value)).length).toBeGreaterThan(2)
    expect(
      labeledResponseTexts.find(([what]) => what === 'the export of the audit')?.[1],
    ).toContain('customers.create')
    expect(
      labeledResponseTexts.find(([what]) => what === 'the export of customers')?.[1],
    ).toContain(objectIds[0])
  })

  test.each(Object.entries(configuredSecrets))(
    'no part of %s is in a response, a page, an export, the log or the store',
    async (_name, secret) => {
      const leakingSinks = (await readSearchedTexts()).flatMap(([what, text]) =>
        findSecretParts(text, secret).length > 0 ? [what] : [],
      )
      expect(leakingSinks).toEqual([])
    },
  )

  test('the session token is not stored anywhere', async () => {
    const sessionToken = person.jar.get('paydesk.session') ?? ''
    expect(sessionToken.length).toBeGreaterThan(40)
    const storedSinks = (await readSearchedTexts()).filter(
      ([what]) => !labeledResponseTexts.some(([answer]) => answer === what),
    )
    expect(
      storedSinks.flatMap(([what, text]) =>
        findSecretParts(text, sessionToken).length > 0 ? [what] : [],
      ),
    ).toEqual([])
  })

  test('no paykey token, account number or personal data is in any of them', async () => {
    const leakedWords = (await readSearchedTexts()).flatMap(([what, text]) =>
      findWords(text, sensitiveWords).map((word) => `${what}: ${word}`),
    )
    expect(leakedWords).toEqual([])
  })

  test('no browser file contains a part of the key', () => {
    const files = listFiles(findBuiltPages('static'))
    expect(files.length).toBeGreaterThan(10)
    expect(
      files.filter((file) => findSecretParts(fs.readFileSync(file), apiKey).length > 0),
    ).toEqual([])
  })
})
