import { beforeAll, describe, expect, test } from 'vitest'
import { getAccountHeaderRule } from '@/sandbox/http/api-keys'
import { operations } from '@/sandbox/operations'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { makeHappyCall } from './happy-calls'
import type { OperationTestContext } from './stage'
import { sendOperation } from './try-operation'

const { client } = startSandboxPerFile('--integration', 'marketplace')

let testContext: OperationTestContext

beforeAll(async () => {
  // Payments that a test makes without an account are of the first one.
  const { json } = await client().ask('/v1/accounts?page_size=2')
  const [account, other] = (json.data as { id: string }[]).map(({ id }) => ({ id, headers: {} }))
  if (!account || !other) throw new Error('the seed has too few accounts')
  const customer = await createTestCustomer(client(), account)
  testContext = { client: client(), account, other, customer: customer.id }
})

describe('every operation of a marketplace', () => {
  test.each(operations)('$id accepts a valid request', async (operation) => {
    const call = await makeHappyCall(testContext, operation)
    const isHeaderNeeded =
      getAccountHeaderRule(operation.account, 'marketplace') === 'required' ||
      operation.id === 'capability_requests.create'
    const headers = isHeaderNeeded ? client().accountHeaders(testContext.account.id) : {}
    const response = await sendOperation(testContext, operation, call, { headers })
    expect([response.status, response.json.response_type]).toEqual([
      operation.status ?? 200,
      operation.answers,
    ])
  })
})
