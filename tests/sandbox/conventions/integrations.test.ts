import { beforeAll, describe, expect, test } from 'vitest'
import { getAccountHeaderRule } from '@/sandbox/http/api-keys'
import type { Operation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import { createTestCustomer } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { makeHappyCall } from './happy-calls'
import type { OperationTestContext } from './stage'
import { sendOperation } from './try-operation'

const sandboxes = {
  marketplace: startSandboxPerFile('--integration', 'marketplace'),
  account: startSandboxPerFile('--integration', 'account'),
}

/** The requests for other resources create accounts, which a direct account cannot. */
const resourcesOfDirectAccount = [
  ...['customers', 'bridge', 'paykeys', 'charges', 'payouts', 'payments'],
  ...['funding_events', 'funding_event_payments'],
]

const isForDirectAccount = ({ id }: Operation): boolean =>
  resourcesOfDirectAccount.includes(id.split('.')[0] ?? '')

describe.each([
  ['marketplace', operations],
  ['account', operations.filter(isForDirectAccount)],
] as const)('with the integration %s', (integration, offeredOperations) => {
  const { client } = sandboxes[integration]
  let testContext: OperationTestContext

  beforeAll(async () => {
    // Payments that a test makes without an account belong to the first one.
    const { json } = await client().ask('/v1/accounts?page_size=1')
    const [{ id } = { id: '' }] = json.data as { id: string }[]
    const account = { id, headers: {} }
    const customer = await createTestCustomer(client(), account)
    testContext = { client: client(), account, other: account, customer: customer.id }
  })

  test.each(offeredOperations)('$id accepts a valid request', async (operation) => {
    const call = await makeHappyCall(testContext, operation)
    const isHeaderNeeded =
      getAccountHeaderRule(operation.account, integration) === 'required' ||
      operation.id === 'capability_requests.create'
    const headers = isHeaderNeeded ? client().accountHeaders(testContext.account.id) : {}
    const response = await sendOperation(testContext, operation, call, { headers })
    expect([response.status, response.json.response_type]).toEqual([
      operation.status ?? 200,
      operation.answers,
    ])
  })
})
