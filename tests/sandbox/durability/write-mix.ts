import type { Random } from '@/sandbox/store/random'
import { buildMultipartBody } from '@/tests/sandbox/sandbox-client'
import type { KnownObjects, KnownPayment } from './known-objects'
import type { WriteRequest } from './write'

/**
 * Input for a write. `key` is its Idempotency-Key. The body contains it too, as reason, metadata or
 * reference, so that the change can be attributed to the write.
 */
export type WriteInput = { known: KnownObjects; random: Random; key: string }

type WriteMaker = (makerInput: WriteInput) => Omit<WriteRequest, 'key'> | undefined

const jsonContentType = 'application/json'
const device = { ip_address: '198.51.100.23' }

const weightedOutcomes = [
  ...Array.from({ length: 9 }, () => 'standard'),
  ...[
    'paid',
    'paid',
    'paid',
    'on_hold_daily_limit',
    'cancelled_for_fraud_risk',
    'failed_insufficient_funds',
    'reversed_insufficient_funds',
  ],
] as const

/**
 * Returns a random outcome for a payment. Two percent end with return code R29, which blocks the
 * paykey, so that the test has paykeys to unblock.
 */
const pickOutcome = (random: Random): string =>
  random.chance(0.02) ? 'failed_not_authorized' : random.pick(weightedOutcomes)

const buildPaymentCreation =
  (type: KnownPayment['type']): WriteMaker =>
  ({ known, random, key }) => {
    const paykey = known.paykey(random, 'active')
    if (!paykey) return undefined
    const config = {
      sandbox_outcome: pickOutcome(random),
      ...(random.chance(0.15) && { auto_hold: true }),
    }
    const typeFields =
      type === 'payouts'
        ? { config }
        : { consent_type: 'internet', config: { ...config, balance_check: 'disabled' } }
    const body = {
      ...{
        paykey: paykey.token,
        description: `Commission ${key}`,
        amount: random.int(100, 2_000),
        currency: 'USD',
      },
      ...{ payment_date: known.today, device, external_id: key, metadata: { key }, ...typeFields },
    }
    const creationRoute = {
      operation: `${type}.create`,
      method: 'POST',
      path: `/v1/${type}`,
      account: paykey.account,
    } as const
    return { ...creationRoute, contentType: jsonContentType, body: JSON.stringify(body) }
  }

const buildPaymentMove =
  (name: 'hold' | 'release' | 'cancel', allowedStatuses: readonly string[]): WriteMaker =>
  ({ known, random, key }) => {
    const payment = known.payment(random, allowedStatuses)
    if (!payment) return undefined
    const path = `/v1/${payment.type}/${payment.id}/${name}`
    const moveRoute = {
      operation: `${payment.type}.${name}`,
      method: 'PUT',
      path,
      account: payment.account,
    } as const
    return { ...moveRoute, contentType: jsonContentType, body: JSON.stringify({ reason: key }) }
  }

const buildPaymentUpdate: WriteMaker = ({ known, random, key }) => {
  const payment = known.payment(random, ['created', 'on_hold'])
  if (!payment) return undefined
  const path = `/v1/${payment.type}/${payment.id}`
  const body = {
    description: `Changed ${key}`,
    amount: random.int(100, 2_000),
    payment_date: known.today,
    metadata: { key },
  }
  const operationRoute = {
    operation: `${payment.type}.update`,
    method: 'PUT',
    path,
    account: payment.account,
  } as const
  return { ...operationRoute, contentType: jsonContentType, body: JSON.stringify(body) }
}

const buildChargeRefund: WriteMaker = ({ known, random, key }) => {
  const charge = known.payment(random, ['paid'], 'charges')
  if (!charge) return undefined
  const target = {
    operation: 'charges.refund',
    method: 'POST',
    path: `/v1/charges/${charge.id}/refund`,
    account: charge.account,
  } as const
  return {
    ...target,
    contentType: jsonContentType,
    body: JSON.stringify({ external_id: key, metadata: { key } }),
  }
}

const buildPaymentResubmission: WriteMaker = ({ known, random, key }) => {
  const payment = known.payment(random, ['failed', 'cancelled', 'reversed'])
  if (!payment) return undefined
  const path = `/v1/${payment.type}/${payment.id}/resubmit`
  const target = {
    operation: `${payment.type}.resubmit`,
    method: 'POST',
    path,
    account: payment.account,
  } as const
  return {
    ...target,
    contentType: jsonContentType,
    body: JSON.stringify({ external_id: key, payment_date: known.today }),
  }
}

const buildProofUpload: WriteMaker = ({ known, random, key }) => {
  const payment = known.payment(random, ['created', 'on_hold', 'scheduled', 'pending', 'paid'])
  if (!payment) return undefined
  const { body, headers } = buildMultipartBody('proof.pdf', Buffer.from(`%PDF-1.7 ${key}`))
  const path = `/v1/${payment.type}/${payment.id}/authorization`
  const target = {
    operation: `${payment.type}.authorize`,
    method: 'POST',
    path,
    account: payment.account,
  } as const
  return { ...target, contentType: headers['content-type'] ?? '', body }
}

const buildCustomerFields = (key: string) => ({
  name: `Amara Okafor ${key}`,
  email: `${key}@example.org`,
  phone: '+15125550123',
  device,
  metadata: { key },
})

const buildCustomerCreation: WriteMaker = ({ known, random, key }) => {
  const knownCustomer = known.customer(random)
  if (!knownCustomer) return undefined
  const target = {
    operation: 'customers.create',
    method: 'POST',
    path: '/v1/customers',
    account: knownCustomer.account,
  } as const
  return {
    ...target,
    contentType: jsonContentType,
    body: JSON.stringify({ ...buildCustomerFields(key), type: 'individual' }),
  }
}

const buildCustomerUpdate: WriteMaker = ({ known, random, key }) => {
  const customer = known.customer(random)
  if (!customer) return undefined
  const path = `/v1/customers/${customer.id}`
  const target = {
    operation: 'customers.update',
    method: 'PUT',
    path,
    account: customer.account,
  } as const
  return {
    ...target,
    contentType: jsonContentType,
    body: JSON.stringify({ ...buildCustomerFields(key), status: customer.status }),
  }
}

const buildCustomerDeletion: WriteMaker = ({ known, random }) => {
  // Keep at least 60 customers, because payments need their paykeys.
  const customer = known.customers.size > 60 ? known.customer(random) : undefined
  if (!customer) return undefined
  const path = `/v1/customers/${customer.id}`
  return {
    operation: 'customers.delete',
    method: 'DELETE',
    path,
    account: customer.account,
    contentType: jsonContentType,
    body: '',
  }
}

const buildBankAccountLink: WriteMaker = ({ known, random, key }) => {
  const customer = known.customer(random)
  if (!customer) return undefined
  const bankNumbers = {
    routing_number: '021000021',
    account_number: random.digits(12),
    account_type: 'checking',
  }
  const path = '/v1/bridge/bank_account'
  const target = {
    operation: 'bridge.bank_account',
    method: 'POST',
    path,
    account: customer.account,
  } as const
  return {
    ...target,
    contentType: jsonContentType,
    body: JSON.stringify({ customer_id: customer.id, ...bankNumbers, metadata: { key } }),
  }
}

const buildPaykeyCancellation: WriteMaker = ({ known, random, key }) => {
  const paykey = known.paykeys.size > 60 ? known.paykey(random, 'active', 'review') : undefined
  if (!paykey) return undefined
  const path = `/v1/paykeys/${paykey.id}/cancel`
  const target = {
    operation: 'paykeys.cancel',
    method: 'PUT',
    path,
    account: paykey.account,
  } as const
  return { ...target, contentType: jsonContentType, body: JSON.stringify({ reason: key }) }
}

const buildPaykeyUnblock: WriteMaker = ({ known, random, key }) => {
  const paykey = known.paykey(random, 'blocked')
  if (!paykey) return undefined
  const path = `/v1/paykeys/${paykey.id}/unblock`
  const target = {
    operation: 'paykeys.unblock',
    method: 'PATCH',
    path,
    account: paykey.account,
  } as const
  return { ...target, contentType: jsonContentType, body: JSON.stringify({ message: key }) }
}

const weightedWriteMakers: readonly (readonly [share: number, maker: WriteMaker])[] = [
  [20, buildPaymentCreation('payouts')],
  [18, buildPaymentCreation('charges')],
  [11, buildPaymentMove('hold', ['created', 'scheduled'])],
  [10, buildPaymentMove('release', ['on_hold', 'created'])],
  [7, buildPaymentMove('cancel', ['created', 'scheduled', 'on_hold'])],
  [8, buildPaymentUpdate],
  [3, buildChargeRefund],
  [3, buildPaymentResubmission],
  [3, buildProofUpload],
  [4, buildCustomerCreation],
  [4, buildCustomerUpdate],
  [1, buildCustomerDeletion],
  [6, buildBankAccountLink],
  [1, buildPaykeyCancellation],
  [1, buildPaykeyUnblock],
]

const buildFallbackWrite: WriteMaker = (makerInput) =>
  buildPaymentCreation('payouts')(makerInput) ?? buildBankAccountLink(makerInput)

/**
 * Returns the next random write. If no known object fits its kind, returns a new payout or a new
 * bank account link instead. Throws Error if no object fits that either.
 */
export function pickNextWrite(input: WriteInput): WriteRequest {
  let remainingShare =
    input.random.next() * weightedWriteMakers.reduce((sum, [share]) => sum + share, 0)
  const chosenEntry = weightedWriteMakers.find(([share]) => {
    remainingShare -= share
    return remainingShare < 0
  })
  const write = chosenEntry?.[1](input) ?? buildFallbackWrite(input)
  if (!write) throw new Error('no customer and no paykey is left to write about')
  return { key: input.key, ...write }
}
