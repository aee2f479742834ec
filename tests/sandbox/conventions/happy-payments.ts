import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { buildChargeBody, buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { toPaymentDate } from '@/tests/sandbox/test-time'
import type { CallMaker, OperationTestContext } from './stage'

type PaymentType = 'charge' | 'payout'

/** Returns today's date on the sandbox's clock, which earlier tests may have advanced. */
const readSandboxDate = async ({ client }: OperationTestContext) =>
  toPaymentDate(Date.parse((await client.control<{ now: string }>('clock')).now))

const createPayment = (
  { client, customer }: OperationTestContext,
  type: PaymentType,
  overrides: Record<string, unknown>,
) => client.control<{ id: string }>(`objects/${type}s`, { customer_id: customer, ...overrides })

export const makePaymentCall =
  (type: PaymentType, status: string, body?: Record<string, unknown>): CallMaker =>
  async (stage) => ({
    id: (await createPayment(stage, type, { status })).id,
    ...(body ? { body } : {}),
  })

const makePaymentCreationCall =
  (type: PaymentType): CallMaker =>
  async (stage) => {
    const { client, account, customer } = stage
    const paykey = await linkBankAccount(client, account, customer, {
      config: { sandbox_outcome: 'active' },
    })
    const buildBody = type === 'charge' ? buildChargeBody : buildPayoutBody
    return {
      body: buildBody(paykey.paykey, { payment_date: await readSandboxDate(stage) }),
      headers: account.headers,
    }
  }

const makePaymentUpdateCall =
  (type: PaymentType): CallMaker =>
  async (stage) => {
    const body = {
      description: 'Corrected',
      amount: 777,
      payment_date: await readSandboxDate(stage),
    }
    return makePaymentCall(type, 'on_hold', body)(stage)
  }

const createPaymentCallMakers = (type: PaymentType): Record<string, CallMaker> => ({
  [`${type}s.create`]: makePaymentCreationCall(type),
  [`${type}s.update`]: makePaymentUpdateCall(type),
  [`${type}s.hold`]: makePaymentCall(type, 'created', { reason: 'Wait' }),
  [`${type}s.release`]: makePaymentCall(type, 'on_hold', { reason: 'Go on' }),
  [`${type}s.cancel`]: makePaymentCall(type, 'on_hold', { reason: 'Never mind' }),
  [`${type}s.resubmit`]: makePaymentCall(type, 'failed', { description: 'Once more' }),
  [`${type}s.authorize`]: async (stage) => ({
    id: (await createPayment(stage, type, { status: 'paid' })).id,
  }),
})

/**
 * Creates a charge and advances the clock until the charge is paid, so that its money waits for a
 * funding event. Returns the request that creates this funding event.
 */
const makeFundingSimulationCall: CallMaker = async (testContext) => {
  const { client, account } = testContext
  const { id } = await createPayment(testContext, 'charge', { sandbox_outcome: 'paid' })
  await client.put(`/v1/charges/${id}/release`, {})
  await client.control('clock', { advance_seconds: 130 })
  return { body: { funding_event_job_type: 'charges' }, headers: account.headers }
}

export const makeFundingEventCall: CallMaker = async ({ client }) => {
  const [firstEvent] = (await client.ask('/v1/funding_events?page_size=1')).json.data as {
    id: string
  }[]
  return { id: firstEvent?.id ?? '' }
}

/**
 * Functions that create an accepted request on a payment or funding event, by operation id.
 * `happyCallMakers` includes them.
 */
export const happyPaymentCallMakers: Readonly<Record<string, CallMaker>> = {
  ...createPaymentCallMakers('charge'),
  ...createPaymentCallMakers('payout'),
  'charges.refund': makePaymentCall('charge', 'paid', { amount: 100 }),
  'funding_events.simulate': makeFundingSimulationCall,
}
