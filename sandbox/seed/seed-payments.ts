import { getCurrentState, type Payment, type StatusChange } from '@/sandbox/payments/payment'
import type { PaymentStatus, PaymentType } from '@/sandbox/payments/payment-values'
import { iso, toPaymentDate } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { chargeDescriptions, payoutDescriptions, returnCodes } from './names'
import type { SeededPaykey } from './seed-customers'
import type { SeedTime } from './seed-time'

const hour = 3_600_000
const day = 24 * hour

function pickStatus(random: Random, age: number): PaymentStatus {
  if (age < 2 * hour) return 'created'
  if (age < 1.5 * day) return random.chance(0.9) ? 'scheduled' : 'cancelled'
  if (age < 3.5 * day) return random.chance(0.92) ? 'pending' : 'failed'
  const roll = random.next()
  if (roll < 0.88) return 'paid'
  if (roll < 0.94) return 'failed'
  return roll < 0.97 ? 'reversed' : 'cancelled'
}

const makeStatusChange = (status: PaymentStatus, at: number, message: string): StatusChange => ({
  ...{ status, reason: 'ok', source: 'system', message },
  changed_at: iso(at),
  code: null,
})

function makeHistory(random: Random, status: PaymentStatus, at: number): [StatusChange, ...StatusChange[]] {
  const history: [StatusChange, ...StatusChange[]] = [makeStatusChange('created', at, 'Payment created, waits for checks')]
  if (status === 'created') return history
  if (status === 'cancelled') {
    history.push({ ...makeStatusChange(status, at + hour, 'Requested by the customer'), reason: 'user_request', source: 'user_action' })
    return history
  }
  history.push(makeStatusChange('scheduled', at + 5_000, 'Checks passed; waits for its payment date'))
  if (status === 'scheduled') return history
  history.push(makeStatusChange('pending', at + 6 * hour, 'Sent to the bank network'))
  if (status === 'paid' || status === 'reversed') history.push(makeStatusChange('paid', at + day, 'Funding completed'))
  if (status === 'failed' || status === 'reversed') {
    const { message, reason, source, code } = random.pick(returnCodes)
    history.push({ status, message, reason, source, changed_at: iso(at + (status === 'failed' ? day : 2 * day)), code })
  }
  return history
}

export function makeBasePayment(
  random: Random,
  time: SeedTime,
  paykey: SeededPaykey,
  type: PaymentType,
  at: number,
  index: number,
): Payment {
  const word = random.pick(type === 'payout' ? payoutDescriptions : chargeDescriptions)
  return {
    n: index + 1,
    id: time.id(random, at),
    type,
    ...{ account: paykey.account, customer: paykey.customer, paykey: paykey.n },
    amount: random.chance(0.1) ? random.int(100, 900_000) : random.int(10, 2_500) * 100 + random.pick([0, 0, 25, 50, 99]),
    payment_date: toPaymentDate(at),
    ...{ created_at: at, updated_at: at, processed_at: null, effective_at: null },
    external_id: `${type === 'payout' ? 'po' : 'ch'}-${String(index + 1).padStart(7, '0')}`,
    description: `${word} ${random.int(1000, 9999)}`,
    funding: null,
    ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false },
    doc: {
      // This address range is reserved for documentation.
      device: { ip_address: `203.0.113.${(index % 254) + 1}` },
      config: type === 'payout' ? { sandbox_outcome: 'standard' } : { sandbox_outcome: 'standard', balance_check: 'enabled' },
      status_history: [makeStatusChange('created', at, 'Payment created, waits for checks')],
      ...(type === 'charge' ? { consent_type: random.chance(0.7) ? 'internet' : 'signed_agreement' } : {}),
      trace_ids: {},
      related_payments: [],
      documents: [],
      metadata: random.chance(0.1) ? { invoice: `INV-${random.digits(6)}`, region: random.pick(['east', 'west']) } : {},
    },
  }
}

export function addDocument(payment: Payment, random: Random, time: SeedTime, at: number): void {
  payment.doc.documents.push({
    document_id: time.id(random, at),
    document_name: random.pick(['authorization.pdf', 'signed-agreement.pdf', 'proof of consent (scan).jpg', 'approval.docx']),
    document_type: 'payment_authorization',
    document_size: random.int(20_000, 4_000_000),
    uploaded_at: iso(at),
  })
}

function setPaymentTimes(payment: Payment, random: Random): void {
  const history = payment.doc.status_history
  const findTime = (status: PaymentStatus) => history.find((change) => change.status === status)?.changed_at
  const processedAt = findTime('pending')
  const effectiveAt = findTime('paid')
  payment.processed_at = processedAt === undefined ? null : Date.parse(processedAt)
  payment.effective_at = effectiveAt === undefined ? null : Date.parse(effectiveAt)
  payment.updated_at = Date.parse(history.at(-1)?.changed_at ?? history[0].changed_at)
  if (payment.processed_at !== null) payment.doc.trace_ids = { [payment.type]: random.digits(15) }
}

function linkPayments(original: Payment, later: Payment, kind: 'refund' | 'resubmit'): void {
  later.doc.related_payments.push({ id: original.id, relationship: 'original', payment_type: original.type })
  original.doc.related_payments.push({ id: later.id, relationship: kind, payment_type: later.type })
  if (kind === 'refund') {
    later.is_refund = true
    original.has_refund = true
    later.amount = original.amount
  } else {
    later.is_resubmit = true
    original.has_resubmit = true
    later.amount = original.amount
    later.description = original.description
  }
  Object.assign(later, { customer: original.customer, paykey: original.paykey, account: original.account })
}

/** Payments that may still get a refund or resubmit (`open`), and those that got one (`linked`). */
export type FollowUps = { open: Payment[]; linked: Payment[] }

const openAtMost = 300

/**
 * Creates payment number `index` of `count`. Sometimes it refunds or resubmits a payment of `followUps.open`, which then moves to `linked`.
 */
export function makeSeededPayment(
  random: Random,
  time: SeedTime,
  paykey: SeededPaykey,
  index: number,
  count: number,
  followUps: FollowUps,
): Payment {
  const span = time.end - time.start - 2 * day - 60_000
  // At most one payment per millisecond, so that ids are in order of creation.
  const at = Math.floor(time.start + 2 * day + (span * (index + 0.1 + 0.8 * random.next())) / count)
  const type: PaymentType = random.chance(0.5) ? 'payout' : 'charge'
  const payment = makeBasePayment(random, time, paykey, type, at, index)
  payment.doc.status_history = makeHistory(random, pickStatus(random, time.end - at), at)
  if (random.chance(0.04)) addFollowUp(payment, followUps)
  setPaymentTimes(payment, random)
  if (random.chance(0.03)) addDocument(payment, random, time, at + hour)
  if (random.chance(0.1) || getCurrentState(payment).status === 'failed') followUps.open.push(payment)
  if (followUps.open.length > openAtMost) followUps.open.shift()
  return payment
}

function addFollowUp(payment: Payment, { open, linked }: FollowUps): void {
  const originalIndex = open.findIndex(
    (candidate) => candidate.created_at < payment.created_at - 3 * day && isOriginalFor(candidate, payment.type),
  )
  const [original] = originalIndex < 0 ? [] : open.splice(originalIndex, 1)
  if (!original) return
  linkPayments(original, payment, original.type === payment.type ? 'resubmit' : 'refund')
  linked.push(original)
}

function isOriginalFor(candidate: Payment, type: PaymentType): boolean {
  const { status } = getCurrentState(candidate)
  return candidate.type === type ? status === 'failed' : type === 'payout' && status === 'paid'
}
