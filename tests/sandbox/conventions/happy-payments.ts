import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { buildChargeBody, buildPayoutBody } from '@/tests/sandbox/own-paykey'
import { toPaymentDate } from '@/tests/sandbox/test-time'
import type { MakeCall, OperationTestContext } from './stage'

type PaymentType = 'charge' | 'payout'

/** Returns today's date on the sandbox's clock, which earlier tests may have moved. */
const readToday = async ({ client }: OperationTestContext) =>
  toPaymentDate(Date.parse((await client.control<{ now: string }>('clock')).now))

const createPayment = ({ client, customer }: OperationTestContext, type: PaymentType, overrides: Record<string, unknown>) =>
  client.control<{ id: string }>(`objects/${type}s`, { customer_id: customer, ...overrides })

export const callOnPayment =
  (type: PaymentType, status: string, body?: Record<string, unknown>): MakeCall =>
  async (stage) => ({ id: (await createPayment(stage, type, { status })).id, ...(body ? { body } : {}) })

const callCreatingPayment =
  (type: PaymentType): MakeCall =>
  async (stage) => {
    const { client, account, customer } = stage
    const paykey = await linkBankAccount(client, account, customer, { config: { sandbox_outcome: 'active' } })
    const buildBody = type === 'charge' ? buildChargeBody : buildPayoutBody
    return { body: buildBody(paykey.paykey, { payment_date: await readToday(stage) }), headers: account.headers }
  }

const callUpdatingPayment =
  (type: PaymentType): MakeCall =>
  async (stage) => {
    const body = { description: 'Corrected', amount: 777, payment_date: await readToday(stage) }
    return callOnPayment(type, 'on_hold', body)(stage)
  }

const callsOfType = (type: PaymentType): Record<string, MakeCall> => ({
  [`${type}s.create`]: callCreatingPayment(type),
  [`${type}s.update`]: callUpdatingPayment(type),
  [`${type}s.hold`]: callOnPayment(type, 'created', { reason: 'Wait' }),
  [`${type}s.release`]: callOnPayment(type, 'on_hold', { reason: 'Go on' }),
  [`${type}s.cancel`]: callOnPayment(type, 'on_hold', { reason: 'Never mind' }),
  [`${type}s.resubmit`]: callOnPayment(type, 'failed', { description: 'Once more' }),
  [`${type}s.authorize`]: async (stage) => ({ id: (await createPayment(stage, type, { status: 'paid' })).id, file: true }),
})

/** Creates a charge and lets the clock settle it, so that its money waits for funding. Returns the request that collects it. */
const callCollectingCharge: MakeCall = async (stage) => {
  const { client, account } = stage
  const { id } = await createPayment(stage, 'charge', { sandbox_outcome: 'paid' })
  await client.put(`/v1/charges/${id}/release`, {})
  await client.control('clock', { advance_seconds: 130 })
  return { body: { funding_event_job_type: 'charges' }, headers: account.headers }
}

export const makeFundingEventCall: MakeCall = async ({ client }) => {
  const [first] = (await client.ask('/v1/funding_events?page_size=1')).json.data as { id: string }[]
  return { id: first?.id ?? '' }
}

/** Accepted requests on payments and funding that need a body or an object in another state. */
export const happyPayments: Readonly<Record<string, MakeCall>> = {
  ...callsOfType('charge'),
  ...callsOfType('payout'),
  'charges.refund': callOnPayment('charge', 'paid', { amount: 100 }),
  'funding_events.simulate': callCollectingCharge,
}
