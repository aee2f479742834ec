import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDialect } from '@/sandbox/dialects/dialects'
import { operations } from '@/sandbox/operations'
import { happyCallMakers, hasIdInPath, makeHappyCall } from './happy-calls'
import {
  type DialectOperation,
  operationsOfEachKind,
  sampledOperations,
  startSandboxPerDialect,
  testedOperations,
  toDialectFieldName,
} from './tested-operations'
import { buildPath, expectRefusal, sendOperation } from './try-operation'

const { getTestContext, getReadOnlyKey } = startSandboxPerDialect()

const createUnknownId = () => randomUUID()
const isWrite = ({ method }: DialectOperation) => method !== 'GET'
const writeOperations = sampledOperations.filter(isWrite)
const scopedOperations = sampledOperations.filter(
  ({ accountHeader }) => accountHeader !== 'forbidden',
)

test('only existing operations have an accepted request', () => {
  const operationIds = operations.map(({ id }) => id)
  expect(Object.keys(happyCallMakers).filter((id) => !operationIds.includes(id))).toEqual([])
})

describe('every operation', () => {
  test.each(testedOperations)('$id accepts a valid request ($dialect)', async (operation) => {
    const response = await sendOperation(
      getTestContext(operation),
      operation,
      await makeHappyCall(getTestContext(operation), operation),
    )
    expect([response.status, response.json.response_type]).toEqual([
      operation.status ?? 200,
      operation.answers,
    ])
  })

  test.each(sampledOperations)('$id is 401 without a key ($dialect)', async (operation) => {
    expect(
      (
        await sendOperation(
          getTestContext(operation),
          operation,
          { id: createUnknownId() },
          { key: null },
        )
      ).status,
    ).toBe(401)
  })

  test.each(operationsOfEachKind)(
    '$id is 400 with an unknown parameter ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { query: '?stauts=paid' },
        { status: 400, reference: toDialectFieldName(operation, 'stauts') },
      )
    },
  )

  test.each(operationsOfEachKind)(
    'the path of $id is 405 with an unused method ($dialect)',
    async (operation) => {
      const path = buildPath(operation, createUnknownId())
      const dialectOperations = testedOperations.filter(
        ({ dialect }) => dialect === operation.dialect,
      )
      const methodPatterns = dialectOperations.map((other) => ({
        method: other.method,
        pattern: new RegExp(`^${other.path.replace(/:\w+/g, '[^/]+')}$`),
      }))
      const usedMethods: string[] = methodPatterns
        .filter(({ pattern }) => pattern.test(path))
        .map(({ method }) => method)
      const unusedMethod = ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].find(
        (one) => !usedMethods.includes(one),
      )
      const methodNotAllowedResponse = await getTestContext(operation).client.ask(path, {
        method: unusedMethod ?? '',
      })
      expect([
        methodNotAllowedResponse.status,
        methodNotAllowedResponse.headers.get('allow')?.split(', '),
      ]).toEqual([405, expect.arrayContaining([operation.method])])
    },
  )
})

describe('every write', () => {
  test.each(writeOperations)('$id is 403 with a read-only key ($dialect)', async (operation) => {
    const call = await makeHappyCall(getTestContext(operation), operation)
    await expectRefusal(
      getTestContext(operation),
      operation,
      call,
      { key: getReadOnlyKey(operation) },
      { status: 403 },
    )
  })

  test.each(operationsOfEachKind.filter(isWrite))(
    '$id is 400 with an Idempotency-Key of 9 characters ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const shortKeyResponse = await sendOperation(getTestContext(operation), operation, call, {
        headers: { 'idempotency-key': 'too-short' },
      })
      expect([shortKeyResponse.status, shortKeyResponse.json]).toMatchObject([
        400,
        { status: 400, items: [{ reference: 'Idempotency-Key' }] },
      ])
    },
  )

  test.each(writeOperations)(
    '$id is replayed with its key, and 409 with another body ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const headers = { 'idempotency-key': createUnknownId() }
      const firstResponse = await sendOperation(getTestContext(operation), operation, call, {
        headers,
      })
      const replayResponse = await sendOperation(getTestContext(operation), operation, call, {
        headers,
      })
      const changedBodyResponse = await sendOperation(getTestContext(operation), operation, call, {
        headers,
        body: '{"other":true}',
      })
      expect([firstResponse.status, firstResponse.headers.get('idempotent-replayed')]).toEqual([
        operation.status ?? 200,
        null,
      ])
      expect([
        replayResponse.status,
        replayResponse.text,
        replayResponse.headers.get('idempotent-replayed'),
      ]).toEqual([firstResponse.status, firstResponse.text, 'true'])
      expect([changedBodyResponse.status, changedBodyResponse.json]).toMatchObject([
        409,
        { status: 409, type: '/conflict' },
      ])
    },
  )
})

describe('every operation on an object', () => {
  const objectOperations = sampledOperations.filter(hasIdInPath)

  test.each(objectOperations)('$id is 404 for an unknown object ($dialect)', async (operation) => {
    const call = await makeHappyCall(getTestContext(operation), operation)
    await expectRefusal(
      getTestContext(operation),
      operation,
      call,
      { id: createUnknownId() },
      { status: 404 },
    )
  })

  test.each(operationsOfEachKind.filter(hasIdInPath))(
    '$id is 400 for an invalid UUID ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const idFieldName = toDialectFieldName(operation, /:(\w+)/.exec(operation.path)?.[1] ?? '')
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { id: '17' },
        { status: 400, reference: idFieldName },
      )
    },
  )

  test.each(objectOperations.filter(({ accountHeader }) => accountHeader !== 'forbidden'))(
    '$id is 404 for an object of another account ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { headers: getTestContext(operation).other.headers },
        { status: 404 },
      )
    },
  )
})

describe('the account header', () => {
  const getAccountHeaderName = ({ dialect }: DialectOperation) =>
    createDialect(dialect, 0).account.name
  const expectAccountRefusal = async (
    operation: DialectOperation,
    headers: Record<string, string>,
    refusal: { status: number; reference?: string },
  ) =>
    expectRefusal(
      getTestContext(operation),
      operation,
      await makeHappyCall(getTestContext(operation), operation),
      { headers },
      refusal,
    )

  test.each(scopedOperations)(
    'of $id is 400 if malformed and 404 if the account is unknown ($dialect)',
    async (operation) => {
      const accountHeaderName = getAccountHeaderName(operation)
      await expectAccountRefusal(
        operation,
        { [accountHeaderName.toLowerCase()]: 'acct_17' },
        { status: 400, reference: accountHeaderName },
      )
      await expectAccountRefusal(
        operation,
        getTestContext(operation).client.accountHeaders(createUnknownId()),
        { status: 404 },
      )
    },
  )

  test.each(sampledOperations.filter(({ accountHeader }) => accountHeader === 'forbidden'))(
    'is 400 if it is sent to $id ($dialect)',
    async (operation) => {
      await expectAccountRefusal(operation, getTestContext(operation).account.headers, {
        status: 400,
        reference: getAccountHeaderName(operation),
      })
    },
  )

  test.each(sampledOperations.filter(({ accountHeader }) => accountHeader === 'required'))(
    'is 400 if it is missing for $id ($dialect)',
    async (operation) => {
      const { headers: _headers, ...call } = await makeHappyCall(
        getTestContext(operation),
        operation,
      )
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        {},
        { status: 400, reference: getAccountHeaderName(operation) },
      )
    },
  )
})
