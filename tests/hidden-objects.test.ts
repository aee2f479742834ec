import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { inputCasesByOperation } from '@/tests/operations/input-violations'
import { platformInputCases } from '@/tests/operations/platform-input-violations'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { readComparableResponse } from './harness/comparable-response'
import { dialect } from './harness/dialect'
import { type DeskWithHiddenAccount, startDeskWithHiddenAccount } from './harness/hidden-desk'
import { addLimitedPerson, readAuditRows } from './harness/objects'
import { createIdempotencyKey, createPdfFile, goodReason, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'

/*
 * Rule under test: for a person with roles in a single account, a response about an object of
 * another account is the same as for an unknown id.
 */

let testStack: DeskWithHiddenAccount
beforeAll(async () => {
  testStack = await startDeskWithHiddenAccount(await openSharedDesk())
})
afterAll(() => testStack?.stop())

type ObjectRequest = {
  operation: ServiceOperationId
  query?: string
  fields?: Record<string, unknown>
  headers?: Record<string, string>
}

const buildValidFields = (operation: ServiceOperationId): Record<string, unknown> => {
  const { id: _, ...fields } =
    (inputCasesByOperation[operation] ?? platformInputCases[operation])?.good ?? {}
  return fields
}

/**
 * Sends a request of a person limited to one account. Everything in it is valid except the object.
 */
async function sendObjectRequest(
  id: string,
  { operation, query = '', fields = buildValidFields(operation), headers = {} }: ObjectRequest,
) {
  const { method, path, effect, body } = getServiceOperation(operation)
  const form = new FormData()
  form.append('File', new Blob([createPdfFile('proof.pdf').bytes as BlobPart]), 'proof.pdf')
  const jsonContent = {
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  }
  const requestContent = effect === 'read' ? {} : body === 'file' ? { body: form } : jsonContent
  const baseHeaders = {
    'idempotency-key': createIdempotencyKey(),
    'action-reason': encodeURIComponent(goodReason),
    ...headers,
  }
  const requestPath = `/api/sandbox/v1${path.replace(':id', id)}${query}`
  return readComparableResponse(
    await testStack.limited.send(requestPath, {
      ...requestContent,
      method,
      headers: { ...baseHeaders, ...('headers' in requestContent ? requestContent.headers : {}) },
    }),
  )
}

const objectOperations = serviceOperationIds.filter(
  (operation) =>
    getServiceOperation(operation).path.includes(':id') && !getServiceOperation(operation).internal,
)
const findForeignObjectId = (operation: ServiceOperationId) =>
  testStack.theirs[operation.slice(0, operation.indexOf('.'))] ?? ''

type RequestVariant = [how: string, queryOf: () => string, headers: Record<string, string>]
const ownAccountVariant: RequestVariant = [
  'in the own account',
  () => `?account=acct_${testStack.own}`,
  {},
]
const otherVariants: RequestVariant[] = [
  [
    'in the own account, with what was seen',
    () => `?account=acct_${testStack.own}`,
    { 'snapshot-hash': '0'.repeat(64) },
  ],
  ['in no account', () => '', {}],
  ['in the other account', () => `?account=acct_${testStack.foreign}`, {}],
]
const sampledVariants = sampleOfEachKind(
  objectOperations.flatMap((operation) => otherVariants.map((way) => [operation, ...way] as const)),
  1,
  ([operation]) => operation,
)

test.each([
  ...objectOperations.map((operation) => [operation, ...ownAccountVariant] as const),
  ...sampledVariants,
])('%s responds as if the object did not exist: %s', async (operation, _, queryOf, headers) => {
  const objectRequest = { operation, query: queryOf(), headers }
  const foreignResponse = await sendObjectRequest(findForeignObjectId(operation), objectRequest)
  expect(foreignResponse).toEqual(await sendObjectRequest(randomUUID(), objectRequest))
  expect([403, 404, 422]).toContain(foreignResponse.status)
  expect(foreignResponse.text).not.toContain('acct_')
})

const referenceFieldCases: [ServiceOperationId, field: string, resource: string][] = [
  ['payouts.create', 'paykey_id', 'paykeys'],
  ['charges.create', 'paykey_id', 'paykeys'],
  ['bridge.initialize', 'customer_id', 'customers'],
  ['bridge.bank_account', 'customer_id', 'customers'],
  ['bridge.tan', 'customer_id', 'customers'],
  ['bridge.plaid', 'customer_id', 'customers'],
  ['bridge.quiltt', 'customer_id', 'customers'],
  ['bridge.speedchex', 'customer_id', 'customers'],
  ['accounts.create', 'organization_id', 'organizations'],
  ['representatives.create', 'account_id', 'accounts'],
  ['linked_bank_accounts.create', 'account_id', 'accounts'],
]

test('the cases cover every write without an object in its path, except creations', () => {
  const writesWithoutPathObject = serviceOperationIds.filter(
    (operation) =>
      getServiceOperation(operation).effect !== 'read' && !objectOperations.includes(operation),
  )
  const writesWithoutReference = [
    'customers.create',
    'capability_requests.create',
    'organizations.create',
    'funding_events.simulate',
  ]
  expect(
    writesWithoutPathObject
      .filter((operation) => !writesWithoutReference.includes(operation))
      .sort(),
  ).toEqual(referenceFieldCases.map(([operation]) => operation).sort())
})

test.each(referenceFieldCases)(
  '%s responds to a foreign %s as if it did not exist',
  async (operation, field, resource) => {
    const buildReferenceRequest = (id: string) => ({
      operation,
      query: `?account=acct_${testStack.own}`,
      fields: { ...buildValidFields(operation), [field]: id },
    })
    const foreignReferenceResponse = await sendObjectRequest(
      '',
      buildReferenceRequest(testStack.theirs[resource] ?? ''),
    )
    expect(foreignReferenceResponse).toEqual(
      await sendObjectRequest('', buildReferenceRequest(randomUUID())),
    )
    expect(foreignReferenceResponse.status).toBeGreaterThanOrEqual(400)
  },
)

test('an open action does not reveal a foreign object', async () => {
  const payout = await testStack.sandbox.makePayout({ account_id: testStack.foreign })
  await testStack.sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 3,
  })
  expect((await testStack.admin.decide('release', payout)).status).toBe(202)
  const payoutReleaseRequest: ObjectRequest = {
    operation: 'payouts.release',
    query: `?account=acct_${testStack.own}`,
  }
  expect(await sendObjectRequest(payout.id, payoutReleaseRequest)).toEqual(
    await sendObjectRequest(randomUUID(), payoutReleaseRequest),
  )
  await testStack.sandbox.clearFaults()
})

test('an object unknown to Paydesk is read in the own account, and nothing is sent or recorded', async () => {
  const payout = await testStack.sandbox.makePayout({ account_id: testStack.foreign })
  const seqBefore = await testStack.sandbox.lastSeq()
  const request: ObjectRequest = {
    operation: 'payouts.release',
    query: `?account=acct_${testStack.own}`,
  }
  expect((await sendObjectRequest(payout.id, request)).status).toBe(404)
  expect(
    (await testStack.sandbox.requests(seqBefore)).map(
      (row) => `${row.method} ${row.account_header}`,
    ),
  ).toEqual([`GET ${dialect.accountValue(testStack.own)}`])
  expect(
    (await testStack.db.query(`select 1 from actions where target = $1`, [`payouts/${payout.id}`]))
      .rowCount,
  ).toBe(0)
})

test('a failing service gives the same response for a foreign and a missing object', async () => {
  const releaseRequest: ObjectRequest = {
    operation: 'payouts.release',
    query: `?account=acct_${testStack.own}`,
  }
  for (const request of [releaseRequest, { operation: 'representatives.update' } as const]) {
    const [theirs, nobodys] = [findForeignObjectId(request.operation), randomUUID()]
    for (const match of [theirs, nobodys]) {
      const readOperation = `${request.operation.split('.')[0]}.get`
      await testStack.sandbox.fault({
        operation: readOperation,
        match,
        kind: 'status',
        status: 500,
        body: 'none',
        count: null,
      })
    }
    const foreignObjectResponse = await sendObjectRequest(theirs, request)
    expect(foreignObjectResponse).toEqual(await sendObjectRequest(nobodys, request))
    expect(foreignObjectResponse).toMatchObject({
      status: 503,
      text: expect.stringContaining('not_sent'),
    })
  }
  await testStack.sandbox.clearFaults()
})

test('a refusal of a hidden object is audited as denied', async () => {
  const target = `representatives/${testStack.theirs.representatives}`
  const countDeniedAudits = async () =>
    (await readAuditRows(testStack.db, 'representatives.update.denied')).filter(
      (row) => row.target === target,
    ).length
  const deniedCountBefore = await countDeniedAudits()
  expect(
    (
      await sendObjectRequest(findForeignObjectId('representatives.update'), {
        operation: 'representatives.update',
      })
    ).status,
  ).toBe(404)
  expect(await countDeniedAudits()).toBe(deniedCountBefore + 1)
})

test('a person with a role in the other account sees that the object belongs to it', async () => {
  await addLimitedPerson(testStack.db, 'both@paydesk.test', 'operator', testStack.own)
  await testStack.db.query(
    `insert into grants (person_id, role, environment, account_id) select id, 'viewer', 'sandbox', $1::uuid from people where email = 'both@paydesk.test'`,
    [testStack.foreign],
  )
  const twoAccountPerson = await signIn(testStack.dashboard.url, 'both@paydesk.test')
  const reply = await twoAccountPerson.decide('release', {
    id: testStack.theirs.payouts ?? '',
    account: `acct_${testStack.own}`,
  })
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { detail: expect.stringContaining(`acct_${testStack.foreign}`) } },
  })
})
