import { linkBankAccount } from '@/tests/sandbox/link-bank-account'
import { chargeBody, payoutBody } from '@/tests/sandbox/own-paykey'
import { dateAt } from '@/tests/sandbox/test-time'
import type { MakeCall, Stage } from './stage'

type Type = 'charge' | 'payout'

/** Returns today's date on the sandbox's clock, which earlier tests may have moved. */
const dateOf = async ({ client }: Stage) => dateAt(Date.parse((await client.control<{ now: string }>('clock')).now))

const createPayment = ({ client, customer }: Stage, type: Type, overrides: Record<string, unknown>) =>
  client.control<{ id: string }>(`objects/${type}s`, { customer_id: customer, ...overrides })

export const paymentOf =
  (type: Type, status: string, body?: Record<string, unknown>): MakeCall =>
  async (stage) => ({ id: (await createPayment(stage, type, { status })).id, ...(body ? { body } : {}) })

const created =
  (type: Type): MakeCall =>
  async (stage) => {
    const { client, account, customer } = stage
    const paykey = await linkBankAccount(client, account, customer, { config: { sandbox_outcome: 'active' } })
    const bodyOf = type === 'charge' ? chargeBody : payoutBody
    return { body: bodyOf(paykey.paykey, { payment_date: await dateOf(stage) }), headers: account.headers }
  }

const updated =
  (type: Type): MakeCall =>
  async (stage) => {
    const body = { description: 'Corrected', amount: 777, payment_date: await dateOf(stage) }
    return paymentOf(type, 'on_hold', body)(stage)
  }

const ofType = (type: Type): Record<string, MakeCall> => ({
  [`${type}s.create`]: created(type),
  [`${type}s.update`]: updated(type),
  [`${type}s.hold`]: paymentOf(type, 'created', { reason: 'Wait' }),
  [`${type}s.release`]: paymentOf(type, 'on_hold', { reason: 'Go on' }),
  [`${type}s.cancel`]: paymentOf(type, 'on_hold', { reason: 'Never mind' }),
  [`${type}s.resubmit`]: paymentOf(type, 'failed', { description: 'Once more' }),
  [`${type}s.authorize`]: async (stage) => ({ id: (await createPayment(stage, type, { status: 'paid' })).id, file: true }),
})

/** Creates a charge and lets the clock settle it, so that its money waits for funding. Returns the request that collects it. */
const waitingMoney: MakeCall = async (stage) => {
  const { client, account } = stage
  const { id } = await createPayment(stage, 'charge', { sandbox_outcome: 'paid' })
  await client.put(`/v1/charges/${id}/release`, {})
  await client.control('clock', { advance_seconds: 130 })
  return { body: { funding_event_job_type: 'charges' }, headers: account.headers }
}

export const fundingEvent: MakeCall = async ({ client }) => {
  const [first] = (await client.ask('/v1/funding_events?page_size=1')).json.data as { id: string }[]
  return { id: first?.id ?? '' }
}

/** Accepted requests on payments and funding that need a body or an object in another state. */
export const happyPayments: Readonly<Record<string, MakeCall>> = {
  ...ofType('charge'),
  ...ofType('payout'),
  'charges.refund': paymentOf('charge', 'paid', { amount: 100 }),
  'funding_events.simulate': waitingMoney,
}
