import { describe, expect, test } from 'vitest'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { makeHappyCall } from './happy-calls'
import {
  operationsOfEachKind,
  sampledOperations,
  startSandboxPerDialect,
  toDialectFieldName,
} from './tested-operations'
import { expectRefusal, listBodyFields, sendOperation } from './try-operation'

const { getTestContext } = startSandboxPerDialect()

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

describe('the body', () => {
  test.each(operationsOfEachKind.filter(({ input }) => input))(
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
      const longMetadataKey = 'k'.repeat(41)
      const invalidMetadata: [reference: string, metadata: unknown][] = [
        ['metadata', { ...fullMetadata, one: 'more' }],
        [`metadata.${longMetadataKey}`, { [longMetadataKey]: 'v' }],
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
      const response = await sendOperation(getTestContext(operation), operation, call, {
        body: JSON.stringify({ ...call.body, metadata: fullMetadata }),
      })
      expect([response.status, response.json.error]).toEqual([operation.status ?? 200, undefined])
    },
  )
})
