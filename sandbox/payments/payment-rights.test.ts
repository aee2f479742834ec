import { describe, expect, test } from 'vitest'
import { buildCustomerBody } from '@/tests/sandbox/own-customer'
import {
  buildChargeBody,
  buildPayoutBody,
  createTestPaykey,
  type TestPaykey,
} from '@/tests/sandbox/own-paykey'
import { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client, process } = startSandboxPerFile('--environment', 'both')

const getProductionClient = () => {
  const productionProcess = process().production
  if (!productionProcess) throw new Error('the process plays both environments')
  return new SandboxClient(productionProcess)
}

type ObjectWithId = { id: string }

const toObjectWithId = (apiResponse: { json: { data?: unknown } }) =>
  apiResponse.json.data as ObjectWithId
const listAccounts = async (sandboxClient: SandboxClient, status: string) =>
  (await sandboxClient.ask(`/v1/accounts?status=${status}`)).json.data as ObjectWithId[]
const createPayout = ({ token, headers }: TestPaykey, overrides = {}) =>
  client().post('/v1/payouts', buildPayoutBody(token, overrides), headers)
const createCharge = ({ token, headers }: TestPaykey, overrides = {}) =>
  client().post('/v1/charges', buildChargeBody(token, overrides), headers)

/**
 * Creates a paykey in the active account at an index. Each test uses its own account, because it
 * switches off capabilities of the account.
 */
async function createPaykeyInAccount(accountIndex: number): Promise<TestPaykey> {
  const account = (await listAccounts(client(), 'active'))[accountIndex]
  return createTestPaykey(client(), { account_id: account?.id })
}

async function switchOffCapability({ headers }: TestPaykey, capability: string): Promise<void> {
  const response = await client().post(
    '/v1/accounts/capability_requests',
    { [capability]: { enable: false } },
    headers,
  )
  const [request] = response.json.data as ObjectWithId[]
  await client().control('compliance', {
    kind: 'capability_request',
    id: request?.id,
    status: 'inactive',
  })
}

const makeExpectedRefusal = (capability: string) => ({
  status: 422,
  type: '/validation_error',
  detail: expect.stringContaining(`capability ${capability};`),
})

describe('a payment requires the capability', () => {
  test.each([
    ['payouts', 0, 422, 201],
    ['charges', 1, 201, 422],
  ])('%s', async (capability, place, payout, charge) => {
    const paykey = await createPaykeyInAccount(place)
    expect([(await createPayout(paykey)).status, (await createCharge(paykey)).status]).toEqual([
      201, 201,
    ])
    await switchOffCapability(paykey, capability)
    const paymentResponses = [await createPayout(paykey), await createCharge(paykey)]
    expect(paymentResponses.map(({ status }) => status)).toEqual([payout, charge])
    expect(paymentResponses.find(({ status }) => status === 422)?.json.error).toMatchObject(
      makeExpectedRefusal(capability),
    )
  })

  test('for its consent', async () => {
    const paykey = await createPaykeyInAccount(2)
    await switchOffCapability(paykey, 'signed_agreement')
    expect((await createCharge(paykey, { consent_type: 'signed' })).json.error).toMatchObject(
      makeExpectedRefusal('signed_agreement'),
    )
    expect([(await createCharge(paykey)).status, (await createPayout(paykey)).status]).toEqual([
      201, 201,
    ])
  })

  test('for its customer type', async () => {
    const paykey = await createPaykeyInAccount(4)
    const { type } = (await client().ask(`/v1/customers/${paykey.customer_id}`)).json.data as {
      type: string
    }
    const capability = type === 'individual' ? 'individuals' : 'businesses'
    await switchOffCapability(paykey, capability)
    expect((await createPayout(paykey)).json.error).toMatchObject(makeExpectedRefusal(capability))
  })
})

const makeBlockedState = (capability: string) => ({
  status: 'failed',
  status_details: {
    reason: 'payment_blocked',
    source: 'watchtower',
    message: expect.stringContaining(`capability ${capability};`),
  },
})

const readPaymentAfterCheck = async (path: string) => {
  await client().control('clock', { advance_seconds: 6 })
  return (await client().ask(path)).json.data
}

describe('a payment without the capability fails its check', () => {
  test('for its consent, when it is released or resubmitted', async () => {
    const paykey = await createPaykeyInAccount(6)
    const chargeOverrides = {
      consent_type: 'signed',
      config: { balance_check: 'disabled', auto_hold: true },
    }
    const [held, cancelled] = [
      toObjectWithId(await createCharge(paykey, chargeOverrides)),
      toObjectWithId(await createCharge(paykey, chargeOverrides)),
    ]
    await client().put(`/v1/charges/${cancelled.id}/cancel`, {})
    await switchOffCapability(paykey, 'signed_agreement')
    await client().put(`/v1/charges/${held.id}/release`, {})
    const resubmitResponse = await client().post(`/v1/charges/${cancelled.id}/resubmit`, {})
    expect(resubmitResponse.status).toBe(201)
    expect(await readPaymentAfterCheck(`/v1/charges/${held.id}`)).toMatchObject(
      makeBlockedState('signed_agreement'),
    )
    expect(
      await readPaymentAfterCheck(`/v1/charges/${toObjectWithId(resubmitResponse).id}`),
    ).toMatchObject(makeBlockedState('signed_agreement'))
  })

  test('for payouts, if it is a refund', async () => {
    const paykey = await createPaykeyInAccount(7)
    const charge = await client().control<ObjectWithId>('objects/charges', {
      paykey_id: paykey.id,
      status: 'paid',
    })
    await switchOffCapability(paykey, 'payouts')
    const refund = await client().post(`/v1/charges/${charge.id}/refund`, {})
    expect(refund.status).toBe(201)
    expect(await readPaymentAfterCheck(`/v1/payouts/${toObjectWithId(refund).id}`)).toMatchObject(
      makeBlockedState('payouts'),
    )
  })
})

test('an inactive account cannot create payments', async () => {
  const paykey = await createPaykeyInAccount(5)
  await client().control('compliance', {
    kind: 'account',
    id: paykey.account_id,
    status: 'inactive',
  })
  const payoutResponse = await createPayout(paykey)
  expect(payoutResponse.json.error).toMatchObject({
    status: 422,
    detail: 'An account in status inactive cannot make payments.',
  })
  expect(payoutResponse.json.error?.items).toBeUndefined()
})

/**
 * Requests a payout to a new customer, from an account that is not onboarded yet. Returns the
 * response.
 */
async function requestPayoutFromNewAccount(sandboxClient: SandboxClient) {
  const [account] = await listAccounts(sandboxClient, 'created')
  const headers = { 'service-account-id': `acct_${account?.id}` }
  const { id } = toObjectWithId(
    await sandboxClient.post('/v1/customers', buildCustomerBody(), headers),
  )
  const bankDetails = {
    routing_number: '021000021',
    account_number: '4455667788',
    account_type: 'checking',
  }
  const linkResponse = await sandboxClient.post(
    '/v1/bridge/bank_account',
    { customer_id: id, ...bankDetails },
    headers,
  )
  const { paykey } = linkResponse.json.data as { paykey: string }
  return sandboxClient.post('/v1/payouts', buildPayoutBody(paykey), headers)
}

test('an account before onboarding can create payments in the sandbox but not in production', async () => {
  expect((await requestPayoutFromNewAccount(client())).status).toBe(201)
  const refusedResponse = await requestPayoutFromNewAccount(getProductionClient())
  expect(refusedResponse.json.error).toMatchObject({
    status: 422,
    detail: 'An account in status created cannot make payments.',
  })
})

test('production rejects an outcome other than standard', async () => {
  const paykey = await createTestPaykey(getProductionClient())
  const createPayoutWithOutcome = (outcome: string | undefined) =>
    getProductionClient().post(
      '/v1/payouts',
      buildPayoutBody(paykey.token, { config: { sandbox_outcome: outcome } }),
      paykey.headers,
    )
  expect((await createPayoutWithOutcome('paid')).json.error).toMatchObject({
    status: 422,
    items: [{ reference: 'config.sandbox_outcome' }],
  })
  expect([
    (await createPayoutWithOutcome('standard')).status,
    (await createPayoutWithOutcome(undefined)).status,
  ]).toEqual([201, 201])
})
