import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roles } from '@/lib/operations/define'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { type Dashboard, startDashboard } from './harness/dashboard'
import {
  acknowledgedWarnings,
  createIdempotencyKey,
  createPdfFile,
  encodedProofDetails,
  goodReason,
  type Person,
  signIn,
} from './harness/person'
import { type Postgres, startPostgres } from './harness/postgres'
import { type MadePayout, type Sandbox, startSandbox } from './harness/sandbox'

let sandbox: Sandbox
let postgres: Postgres
let dashboard: Dashboard
let db: Client
let idsByResource: Record<string, string>
const peopleByRole = new Map<string, Person>()

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox(), startPostgres()])
  dashboard = await startDashboard({
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
  })
  db = new Client(postgres.url)
  await db.connect()
  for (const role of roles) peopleByRole.set(role, await signIn(dashboard.url, role))
  idsByResource = await findIdsByResource()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
  await sandbox?.stop()
})

function getPerson(role: string): Person {
  const person = peopleByRole.get(role)
  if (!person) throw new Error(`nobody is ${role}`)
  return person
}

type PaymentReferences = {
  id: string
  customer_details: { id: string }
  paykey_details: { id: string }
}

/**
 * Returns the id of one existing object per resource, for the operations that have `:id` in their
 * path.
 */
async function findIdsByResource(): Promise<Record<string, string>> {
  const admin = getPerson('admin')
  const findFirstRow = async <T extends { id: string }>(listPath: string): Promise<T | undefined> =>
    (await admin.get<T[]>(`/api/sandbox/v1/${listPath}`)).body.data?.[0]
  const charge = await findFirstRow<PaymentReferences>('payments?payment_type=charge&page_size=1')
  const accountId = (await findFirstRow('accounts'))?.id ?? ''
  const knownIdsByResource: Record<string, string> = {
    charges: charge?.id ?? '',
    customers: charge?.customer_details.id ?? '',
    paykeys: charge?.paykey_details.id ?? '',
    accounts: accountId,
    account_settings: accountId,
  }
  for (const list of [
    'funding_events',
    'organizations',
    'representatives',
    'linked_bank_accounts',
  ]) {
    knownIdsByResource[list] = (await findFirstRow(`${list}?page_size=1`))?.id ?? ''
  }
  return knownIdsByResource
}

const toAuditTarget = (operation: ServiceOperationId, payout: MadePayout): string | null => {
  const resource = operation.slice(0, operation.indexOf('.'))
  if (!getServiceOperation(operation).path.includes(':id')) return null
  return `${resource}/${resource === 'payouts' ? payout.id : (idsByResource[resource] ?? '')}`
}

/**
 * Calls an operation directly, as a script with a stolen cookie would. `payout` is the target of
 * payout operations.
 */
async function callOperation(
  operation: ServiceOperationId,
  person: Pick<Person, 'send'>,
  payout: MadePayout,
  headers: Record<string, string> = {},
) {
  const definition = getServiceOperation(operation)
  const id = toAuditTarget(operation, payout)?.split('/')[1] ?? ''
  const path = `/api/sandbox/v1${definition.path.replace(':id', id)}${getAccountHeaderRule(operation, 'saas') === 'required' ? `?account=${payout.account}` : ''}`
  if (definition.effect === 'read') return person.send(path)
  const form = new FormData()
  form.append('File', new Blob([createPdfFile('proof.pdf').bytes as BlobPart]), 'proof.pdf')
  return person.send(path, {
    method: definition.method,
    body: definition.body === 'file' ? form : JSON.stringify({ reason: goodReason }),
    headers: {
      'idempotency-key': createIdempotencyKey(),
      'action-warnings': acknowledgedWarnings,
      ...(definition.body === 'file'
        ? { 'action-proof': encodedProofDetails }
        : { 'content-type': 'application/json' }),
      ...headers,
    },
  })
}

async function countDenials(operation: string, target: string | null): Promise<number> {
  const denialResult = await db.query(
    `select 1 from audit where body::json ->> 'code' = $1 and body::json ->> 'target' is not distinct from $2`,
    [`${operation}.denied`, target],
  )
  return denialResult.rowCount ?? 0
}

/**
 * The operations that a browser can request. The internal ones have no route: only the server
 * itself uses them.
 */
const routedOperations = serviceOperationIds.filter(
  (operation) => !getServiceOperation(operation).internal,
)
const roleOperationPairs = sampleOfEachKind(
  roles.flatMap((role) => routedOperations.map((operation) => [role, operation] as const)),
  1,
  ([role, operation]) => `${operation} ${getServiceOperation(operation).allow.includes(role)}`,
  ([role]) => role,
)
/**
 * Operations for which `callOperation` sends a complete request. The others fail after the
 * permission check, because input is missing.
 */
const operationsWithoutInputPattern = /^payouts\.(?:hold|release|cancel|authorize)$/

test.each(roleOperationPairs)(
  '%s: %s is allowed or refused as defined',
  async (role, operation) => {
    const payout = await sandbox.makePayout({
      status: operation === 'payouts.hold' ? 'created' : 'on_hold',
    })
    const target = toAuditTarget(operation, payout)
    expect(target?.endsWith('/')).not.toBe(true)
    const [before, denialCountBefore] = [
      await sandbox.lastSeq(),
      await countDenials(operation, target),
    ]
    const response = await callOperation(operation, getPerson(role), payout)
    const definition = getServiceOperation(operation)
    if (definition.allow.includes(role)) {
      if (
        operationsWithoutInputPattern.test(operation) ||
        (definition.effect === 'read' && !definition.sensitive)
      )
        expect([200, 201]).toContain(response.status)
      expect([401, 403]).not.toContain(response.status)
      return
    }
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: { code: 'forbidden', detail: expect.stringContaining('Only') },
    })
    expect(await countDenials(operation, target)).toBe(denialCountBefore + 1)
    expect(await sandbox.requests(before)).toEqual([])
  },
)

test.each(sampleOfEachKind(routedOperations, 1, toServiceResource))(
  '%s is refused without a session',
  async (operation) => {
    const payout = await sandbox.makePayout()
    const seqBefore = await sandbox.lastSeq()
    const signedOutPerson = {
      ...getPerson('admin'),
      send: (path: string, init?: RequestInit) =>
        fetch(dashboard.url + path, addOriginHeaders(init)),
    }
    const response = await callOperation(operation, signedOutPerson, payout)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'unauthenticated' } })
    expect(await sandbox.requests(seqBefore)).toEqual([])
  },
)

const addOriginHeaders = (init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: {
    origin: dashboard.url,
    'sec-fetch-site': 'same-origin',
    ...(init.headers as Record<string, string>),
  },
})

describe('a write from another site', () => {
  const headersByOriginKind: Record<string, Record<string, string | null>> = {
    'another origin': { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' },
    'another origin, no other word': { origin: 'https://elsewhere.test', 'sec-fetch-site': null },
    'no origin': { origin: null },
    'no origin and no word': { origin: null, 'sec-fetch-site': null },
    'an opaque origin': { origin: 'null' },
    'another port': { origin: 'http://127.0.0.1:1' },
    'our origin as a prefix': { origin: 'OURS.elsewhere.test' },
    'our origin, cross-site': { 'sec-fetch-site': 'cross-site' },
    'our origin, a sibling': { 'sec-fetch-site': 'same-site' },
    'our origin, typed in': { 'sec-fetch-site': 'none' },
  }
  const writeOperationIds = serviceOperationIds.filter(
    (operation) => getServiceOperation(operation).effect !== 'read',
  )
  const originCases = sampleOfEachKind(
    writeOperationIds.flatMap((operation) =>
      Object.entries(headersByOriginKind).map((each) => [operation, ...each] as const),
    ),
    2,
    ([operation]) => operation,
    ([, name]) => name,
  )

  test.each(writeOperationIds)(
    '%s is refused and does not reach the service',
    async (operation) => {
      const payout = await sandbox.makePayout()
      const lastSeqBefore = await sandbox.lastSeq()
      for (const [name, headerChanges] of originCases
        .filter(([id]) => id === operation)
        .map(([, ...each]) => each)) {
        const admin = getPerson('admin')
        const sendFromOtherOrigin = (path: string, init: RequestInit = {}) => {
          const cookie = [...admin.jar].map(([key, value]) => `${key}=${value}`).join('; ')
          const headers = new Headers({
            ...(addOriginHeaders(init).headers as Record<string, string>),
            cookie,
          })
          for (const [header, value] of Object.entries(headerChanges)) {
            if (value === null) headers.delete(header)
            else headers.set(header, value.replace('OURS', dashboard.url))
          }
          return fetch(dashboard.url + path, { ...init, headers })
        }
        const response = await callOperation(
          operation,
          { ...admin, send: sendFromOtherOrigin },
          payout,
        )
        const { error } = (await response.json()) as { error: { code: string } }
        expect({ name, status: response.status, code: error.code }).toEqual({
          name,
          status: 403,
          code: 'other_site',
        })
      }
      expect(await sandbox.requests(lastSeqBefore)).toEqual([])
    },
  )

  test('"check again" is refused too', async () => {
    const response = await getPerson('admin').send(`/api/sandbox/desk/actions/${randomUUID()}`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.test' },
    })
    expect(response.status).toBe(403)
  })
})

test('an environment without a key does not exist', async () => {
  const seqBeforeRequests = await sandbox.lastSeq()
  for (const environmentName of ['production', 'Sandbox', 'staging', '__proto__']) {
    const response = await getPerson('admin').send(`/api/${environmentName}/v1/payments`)
    expect({ where: environmentName, status: response.status }).toEqual({
      where: environmentName,
      status: 404,
    })
    expect((await getPerson('admin').send(`/${environmentName}/payouts`)).status).toBe(404)
  }
  expect(await sandbox.requests(seqBeforeRequests)).toEqual([])
})
