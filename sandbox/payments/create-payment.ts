import type { z } from 'zod'
import { requireNoOutcome } from '@/sandbox/http/require-no-outcome'
import { type Call, objectOperation } from '@/sandbox/operation'
import { fieldProblem, requireDateToCome, requireFreeReference } from './find-payment'
import { type Draft, newPayment } from './new-payment'
import type { Payment } from './payment'
import { chargeBody, payoutBody } from './payment-bodies'
import { requireRight } from './payment-rights'
import { charge, payout } from './payment-schema'
import { chargeView, payoutView } from './payment-view'

type ChargeBody = z.infer<typeof chargeBody>
type PayoutBody = z.infer<typeof payoutBody>

/**
 * Returns the numbers of paykey, account and customer of a full token. Throws a 422 with `paykey` if the request's account has no such
 * paykey.
 */
function partiesOf({ sandbox, account }: Call, token: string) {
  const entries = sandbox.paykeys.withToken(token).flatMap((n) => sandbox.paykeys.at(n) ?? [])
  const entry = entries.find(({ secret }) => secret.token === token)
  if (!entry || account === null || entry.account !== account)
    throw fieldProblem('paykey', 'is not the full token of a paykey of this account')
  const customer = sandbox.customers.get(entry.doc.customer_id)
  if (!customer) throw fieldProblem('paykey', 'belongs to a customer that was deleted')
  return { account, paykey: entry.n, customer: customer.n, customerType: customer.doc.type }
}

const buildConfig = (config: PayoutBody['config']) => ({
  sandbox_outcome: config?.sandbox_outcome ?? 'standard',
  auto_hold: config?.auto_hold ?? undefined,
  auto_hold_message: config?.auto_hold_message ?? undefined,
})

type Own = Pick<Draft, 'type'> & Pick<Draft['doc'], 'config' | 'consent_type'>

function create(call: Call, body: ChargeBody | PayoutBody, { type, ...own }: Own): Payment {
  const { customerType, ...parties } = partiesOf(call, body.paykey)
  requireDateToCome(body.payment_date, call.now)
  requireNoOutcome(call.sandbox, body.config?.sandbox_outcome)
  requireFreeReference(call.sandbox, type, body.external_id)
  requireRight(call.sandbox, parties, { type, customerType, consent: own.consent_type })
  const { amount, payment_date, description, external_id, device, metadata } = body
  const doc = { device, metadata: metadata ?? {}, ...own }
  return newPayment(call, { type, ...parties, amount, payment_date, description: description ?? '', external_id, doc })
}

/** `POST /v1/charges`: takes money from the bank account of a paykey. `balance_check` is `enabled` by default. */
export const createCharge = objectOperation({
  id: 'charges.create',
  method: 'POST',
  path: '/v1/charges',
  summary: 'Create a charge',
  account: 'required',
  status: 201,
  input: chargeBody,
  output: charge,
  handle: (call) => {
    const { config, consent_type } = call.input
    const chargeFields = {
      consent_type: consent_type === 'internet' ? consent_type : 'signed_agreement',
      config: { ...buildConfig(config), balance_check: config?.balance_check ?? 'enabled' },
    } as const
    return chargeView(call.sandbox, create(call, call.input, { type: 'charge', ...chargeFields }))
  },
})

/** `POST /v1/payouts`: sends money to the bank account of a paykey. */
export const createPayout = objectOperation({
  id: 'payouts.create',
  method: 'POST',
  path: '/v1/payouts',
  summary: 'Create a payout',
  account: 'required',
  status: 201,
  input: payoutBody,
  output: payout,
  handle: (call) => payoutView(call.sandbox, create(call, call.input, { type: 'payout', config: buildConfig(call.input.config) })),
})
