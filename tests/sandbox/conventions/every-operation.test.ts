import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { toDialectOperations } from '@/sandbox/dialects/dialect-operation'
import { createDialect } from '@/sandbox/dialects/dialects'
import type { Operation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { happyCalls, hasIdInPath, makeHappyCall } from './happy-calls'
import { type OperationTestContext, openTestContext } from './stage'
import { buildPath, expectRefusal, listBodyFields, sendOperation } from './try-operation'

const dialects = ['document', 'provider'] as const

type DialectOperation = Operation & { dialect: (typeof dialects)[number] }

const sandboxByDialect = {
  document: startSandboxPerFile(),
  provider: startSandboxPerFile('--dialect', 'provider'),
}
const testContextByDialect = new Map<string, OperationTestContext>()
beforeAll(async () => {
  for (const dialect of dialects)
    testContextByDialect.set(dialect, await openTestContext(sandboxByDialect[dialect].client()))
})

function getTestContext({ dialect }: Pick<DialectOperation, 'dialect'>): OperationTestContext {
  const testContext = testContextByDialect.get(dialect)
  if (!testContext) throw new Error('the stage is opened before the tests')
  return testContext
}

const testedOperations: DialectOperation[] = dialects.flatMap((dialect) =>
  toDialectOperations(createDialect(dialect, 0), operations).map((operation) => ({
    ...operation,
    dialect,
  })),
)

/**
 * Returns a field's name in the dialect's errors: the provider writes `page_size` as `PageSize`.
 */
function toDialectFieldName({ dialect }: DialectOperation, reference: string): string {
  if (dialect === 'document') return reference
  return reference.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Operations for most tests. In the short run, each operation has one dialect, which the seed of
 * the run chooses. Only the test of valid requests uses both dialects in every run.
 */
const sampledOperations = sampleOfEachKind(testedOperations, 1, ({ id }) => id)
/**
 * Operations for tests of behavior that all operations share. In the short run, these are one per
 * resource, method and account policy.
 */
const representativeOperations = sampleOfEachKind(
  sampledOperations,
  1,
  ({ id, method, account }) => `${id.split('.')[0]} ${method} ${account}`,
)

const createUnknownId = () => randomUUID()
const isWrite = ({ method }: DialectOperation) => method !== 'GET'
const writeOperations = sampledOperations.filter(isWrite)
const scopedOperations = sampledOperations.filter(({ account }) => account !== 'forbidden')
const bodyOperations = sampledOperations.filter(({ input }) => input)
const metadataOperations = bodyOperations.filter((operation) =>
  listBodyFields(operation).all.includes('metadata'),
)
const requiredFieldCases = sampleOfEachKind(
  bodyOperations.flatMap((operation) =>
    listBodyFields(operation).required.map((field) => ({ ...operation, operation, field })),
  ),
  1,
  ({ id }) => id,
)

test('only existing operations have an accepted request', () => {
  const operationIds = operations.map(({ id }) => id)
  expect(Object.keys(happyCalls).filter((id) => !operationIds.includes(id))).toEqual([])
})

describe('every operation', () => {
  test.each(testedOperations)('$id accepts a valid request ($dialect)', async (operation) => {
    const answer = await sendOperation(
      getTestContext(operation),
      operation,
      await makeHappyCall(getTestContext(operation), operation),
    )
    expect([answer.status, answer.json.response_type]).toEqual([
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

  test.each(representativeOperations)(
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

  test.each(representativeOperations)(
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
      const answer = await getTestContext(operation).client.ask(path, {
        method: unusedMethod ?? '',
      })
      expect([answer.status, answer.headers.get('allow')?.split(', ')]).toEqual([
        405,
        expect.arrayContaining([operation.method]),
      ])
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
      { key: sandboxByDialect[operation.dialect].process().keys.read_only },
      { status: 403 },
    )
  })

  test.each(representativeOperations.filter(isWrite))(
    '$id is 400 with an Idempotency-Key of 9 characters ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const answer = await sendOperation(getTestContext(operation), operation, call, {
        headers: { 'idempotency-key': 'too-short' },
      })
      expect([answer.status, answer.json]).toMatchObject([
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
      const firstAnswer = await sendOperation(getTestContext(operation), operation, call, {
        headers,
      })
      const replayAnswer = await sendOperation(getTestContext(operation), operation, call, {
        headers,
      })
      const changedAnswer = await sendOperation(getTestContext(operation), operation, call, {
        headers,
        body: '{"other":true}',
      })
      expect([firstAnswer.status, firstAnswer.headers.get('idempotent-replayed')]).toEqual([
        operation.status ?? 200,
        null,
      ])
      expect([
        replayAnswer.status,
        replayAnswer.text,
        replayAnswer.headers.get('idempotent-replayed'),
      ]).toEqual([firstAnswer.status, firstAnswer.text, 'true'])
      expect([changedAnswer.status, changedAnswer.json]).toMatchObject([
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

  test.each(representativeOperations.filter(hasIdInPath))(
    '$id is 400 for an invalid UUID ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const reference = toDialectFieldName(operation, /:(\w+)/.exec(operation.path)?.[1] ?? '')
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { id: '17' },
        { status: 400, reference },
      )
    },
  )

  test.each(objectOperations.filter(({ account }) => account !== 'forbidden'))(
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
      const reference = getAccountHeaderName(operation)
      await expectAccountRefusal(
        operation,
        { [reference.toLowerCase()]: 'acct_17' },
        { status: 400, reference },
      )
      await expectAccountRefusal(
        operation,
        getTestContext(operation).client.accountHeaders(createUnknownId()),
        { status: 404 },
      )
    },
  )

  test.each(sampledOperations.filter(({ account }) => account === 'forbidden'))(
    'is 400 if it is sent to $id ($dialect)',
    async (operation) => {
      await expectAccountRefusal(operation, getTestContext(operation).account.headers, {
        status: 400,
        reference: getAccountHeaderName(operation),
      })
    },
  )

  test.each(sampledOperations.filter(({ account }) => account === 'required'))(
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

describe('the body', () => {
  test.each(representativeOperations.filter(({ input }) => input))(
    'of $id is 400 if it is malformed or its type is not JSON ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { body: '{"a"' },
        { status: 400, reference: toDialectFieldName(operation, 'body') },
      )
      await expectRefusal(
        getTestContext(operation),
        operation,
        call,
        { type: 'text/plain' },
        { status: 400, reference: 'Content-Type' },
      )
    },
  )

  test.each(bodyOperations)('of $id is 422 with an unknown field ($dialect)', async (operation) => {
    const call = await makeHappyCall(getTestContext(operation), operation)
    const body = JSON.stringify({ ...call.body, zebra: 1 })
    await expectRefusal(
      getTestContext(operation),
      operation,
      call,
      { body },
      { status: 422, reference: 'zebra' },
    )
  })

  test.each(requiredFieldCases)(
    'of $id is 422 without $field, and with a list as its value ($dialect)',
    async ({ operation, field }) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const { [field]: _left, ...rest } = call.body ?? {}
      for (const body of [{ ...rest }, { ...rest, [field]: [] }]) {
        await expectRefusal(
          getTestContext(operation),
          operation,
          call,
          { body: JSON.stringify(body) },
          { status: 422, reference: field },
        )
      }
    },
  )

  test.each(metadataOperations)(
    'of $id accepts at most 20 metadata keys of 40 characters ($dialect)',
    async (operation) => {
      const call = await makeHappyCall(getTestContext(operation), operation)
      const createMetadataEntry = (index: number) =>
        [`${index}`.padStart(40, 'k'), 'v'.repeat(40)] as const
      const fullMetadata = Object.fromEntries(
        Array.from({ length: 20 }, (_, place) => createMetadataEntry(place)),
      )
      const longKey = 'k'.repeat(41)
      const invalidMetadata: [reference: string, metadata: unknown][] = [
        ['metadata', { ...fullMetadata, one: 'more' }],
        [`metadata.${longKey}`, { [longKey]: 'v' }],
        ['metadata.key', { key: 'v'.repeat(41) }],
        ['metadata.key', { key: 7 }],
        ['metadata', 'text'],
      ]
      for (const [reference, metadata] of invalidMetadata) {
        const body = JSON.stringify({ ...call.body, metadata })
        await expectRefusal(
          getTestContext(operation),
          operation,
          call,
          { body },
          { status: 422, reference },
        )
      }
      const answer = await sendOperation(getTestContext(operation), operation, call, {
        body: JSON.stringify({ ...call.body, metadata: fullMetadata }),
      })
      expect([answer.status, answer.json.error]).toEqual([operation.status ?? 200, undefined])
    },
  )
})
