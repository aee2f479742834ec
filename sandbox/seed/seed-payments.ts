import { getCurrentState, type Payment, type StatusChange } from '@/sandbox/payments/payment'
import type { PaymentStatus, PaymentType } from '@/sandbox/payments/payment-values'
import { toIsoTime, toPaymentDate } from '@/sandbox/store/clock'
import type { Random } from '@/sandbox/store/random'
import { chargeDescriptions, payoutDescriptions, weightedReturnCodes } from './names'
import { getPaymentAccount } from './seed-owners'
import type { SeededPaykey } from './seed-paykeys'
import type { SeedTime } from './seed-time'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

function pickPaymentStatus(random: Random, ageMs: number): PaymentStatus {
  if (ageMs < 2 * hourMs) return 'created'
  if (ageMs < 1.5 * dayMs) return random.chance(0.9) ? 'scheduled' : 'cancelled'
  if (ageMs < 3.5 * dayMs) return random.chance(0.92) ? 'pending' : 'failed'
  const randomFraction = random.next()
  if (randomFraction < 0.88) return 'paid'
  if (randomFraction < 0.94) return 'failed'
  return randomFraction < 0.97 ? 'reversed' : 'cancelled'
}

const makeStatusChange = (
  status: PaymentStatus,
  changedAt: number,
  message: string,
): StatusChange => ({
  ...{ status, reason: 'ok', source: 'system', message },
  changed_at: toIsoTime(changedAt),
  code: null,
})

function makeStatusHistory(
  random: Random,
  status: PaymentStatus,
  createdAt: number,
): [StatusChange, ...StatusChange[]] {
  const statusHistory: [StatusChange, ...StatusChange[]] = [
    makeStatusChange('created', createdAt, 'Payment created, waits for checks'),
  ]
  if (status === 'created') return statusHistory
  if (status === 'cancelled') {
    statusHistory.push({
      ...makeStatusChange(status, createdAt + hourMs, 'Requested by the customer'),
      reason: 'user_request',
      source: 'user_action',
    })
    return statusHistory
  }
  statusHistory.push(
    makeStatusChange('scheduled', createdAt + 5_000, 'Checks passed; waits for its payment date'),
  )
  if (status === 'scheduled') return statusHistory
  statusHistory.push(
    makeStatusChange('pending', createdAt + 6 * hourMs, 'Sent to the bank network'),
  )
  if (status === 'paid' || status === 'reversed')
    statusHistory.push(makeStatusChange('paid', createdAt + dayMs, 'Funding completed'))
  if (status === 'failed' || status === 'reversed') {
    const { message, reason, source, code } = random.pick(weightedReturnCodes)
    statusHistory.push({
      status,
      message,
      reason,
      source,
      changed_at: toIsoTime(createdAt + (status === 'failed' ? dayMs : 2 * dayMs)),
      code,
    })
  }
  return statusHistory
}

export function makeBasePayment(
  random: Random,
  time: SeedTime,
  paykey: SeededPaykey,
  type: PaymentType,
  createdAt: number,
  index: number,
): Payment {
  const baseDescription = random.pick(type === 'payout' ? payoutDescriptions : chargeDescriptions)
  return {
    n: index + 1,
    id: time.id(random, createdAt),
    type,
    account: getPaymentAccount(paykey.owner, index),
    ...{ customer: paykey.customer, paykey: paykey.n },
    amount: random.chance(0.1)
      ? random.int(100, 900_000)
      : random.int(10, 2_500) * 100 + random.pick([0, 0, 25, 50, 99]),
    payment_date: toPaymentDate(createdAt),
    ...{ created_at: createdAt, updated_at: createdAt, processed_at: null, effective_at: null },
    external_id: `${type === 'payout' ? 'po' : 'ch'}-${String(index + 1).padStart(7, '0')}`,
    description: `${baseDescription} ${random.int(1000, 9999)}`,
    funding: null,
    ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false },
    doc: {
      // 203.0.113.0/24 is reserved for documentation, so no real device has this address.
      device: { ip_address: `203.0.113.${(index % 254) + 1}` },
      config:
        type === 'payout'
          ? { sandbox_outcome: 'standard' }
          : { sandbox_outcome: 'standard', balance_check: 'enabled' },
      status_history: [makeStatusChange('created', createdAt, 'Payment created, waits for checks')],
      ...(type === 'charge'
        ? { consent_type: random.chance(0.7) ? 'internet' : 'signed_agreement' }
        : {}),
      trace_ids: {},
      related_payments: [],
      documents: [],
      metadata: random.chance(0.1)
        ? { invoice: `INV-${random.digits(6)}`, region: random.pick(['east', 'west']) }
        : {},
    },
  }
}

export function addPaymentDocument(
  payment: Payment,
  random: Random,
  time: SeedTime,
  uploadedAt: number,
): void {
  payment.doc.documents.push({
    document_id: time.id(random, uploadedAt),
    document_name: random.pick([
      'authorization.pdf',
      'signed-agreement.pdf',
      'proof of consent (scan).jpg',
      'approval.docx',
    ]),
    document_type: 'payment_authorization',
    document_size: random.int(20_000, 4_000_000),
    uploaded_at: toIsoTime(uploadedAt),
  })
}

function setPaymentTimes(payment: Payment, random: Random): void {
  const history = payment.doc.status_history
  const findStatusTime = (status: PaymentStatus) =>
    history.find((change) => change.status === status)?.changed_at
  const processedAt = findStatusTime('pending')
  const effectiveAt = findStatusTime('paid')
  payment.processed_at = processedAt === undefined ? null : Date.parse(processedAt)
  payment.effective_at = effectiveAt === undefined ? null : Date.parse(effectiveAt)
  payment.updated_at = Date.parse(history.at(-1)?.changed_at ?? history[0].changed_at)
  if (payment.processed_at !== null) payment.doc.trace_ids = { [payment.type]: random.digits(15) }
}

function linkToOriginalPayment(
  original: Payment,
  followUpPayment: Payment,
  kind: 'refund' | 'resubmit',
): void {
  followUpPayment.doc.related_payments.push({
    id: original.id,
    relationship: 'original',
    payment_type: original.type,
  })
  original.doc.related_payments.push({
    id: followUpPayment.id,
    relationship: kind,
    payment_type: followUpPayment.type,
  })
  if (kind === 'refund') {
    followUpPayment.is_refund = true
    original.has_refund = true
    followUpPayment.amount = original.amount
  } else {
    followUpPayment.is_resubmit = true
    original.has_resubmit = true
    followUpPayment.amount = original.amount
    followUpPayment.description = original.description
  }
  Object.assign(followUpPayment, {
    customer: original.customer,
    paykey: original.paykey,
    account: original.account,
  })
}

/**
 * Payments in `open` can still get a refund or resubmit. Payments in `linked` got one, which
 * changed them, so they must be stored again.
 */
export type FollowUpPools = { open: Payment[]; linked: Payment[] }

const maxFollowUpCandidates = 300

/**
 * Makes a payment. About 4% are a refund or resubmit of a payment in `followUps.open`, which then
 * moves to `followUps.linked`.
 */
export function makeSeededPayment(
  random: Random,
  time: SeedTime,
  paykey: SeededPaykey,
  index: number,
  count: number,
  followUps: FollowUpPools,
): Payment {
  const creationPeriodMs = time.end - time.start - 2 * dayMs - 60_000
  // Each payment has its own slot of the period, so that later payments have later times and ids.
  const createdAt = Math.floor(
    time.start + 2 * dayMs + (creationPeriodMs * (index + 0.1 + 0.8 * random.next())) / count,
  )
  const type: PaymentType = random.chance(0.5) ? 'payout' : 'charge'
  const payment = makeBasePayment(random, time, paykey, type, createdAt, index)
  payment.doc.status_history = makeStatusHistory(
    random,
    pickPaymentStatus(random, time.end - createdAt),
    createdAt,
  )
  if (random.chance(0.04)) turnIntoFollowUp(payment, followUps)
  setPaymentTimes(payment, random)
  if (random.chance(0.03)) addPaymentDocument(payment, random, time, createdAt + hourMs)
  if (random.chance(0.1) || getCurrentState(payment).status === 'failed')
    followUps.open.push(payment)
  if (followUps.open.length > maxFollowUpCandidates) followUps.open.shift()
  return payment
}

function turnIntoFollowUp(payment: Payment, { open, linked }: FollowUpPools): void {
  const originalIndex = open.findIndex(
    (candidate) =>
      candidate.created_at < payment.created_at - 3 * dayMs &&
      canHaveFollowUp(candidate, payment.type),
  )
  const [original] = originalIndex < 0 ? [] : open.splice(originalIndex, 1)
  if (!original) return
  linkToOriginalPayment(original, payment, original.type === payment.type ? 'resubmit' : 'refund')
  linked.push(original)
}

function canHaveFollowUp(candidate: Payment, followUpType: PaymentType): boolean {
  const { status } = getCurrentState(candidate)
  return candidate.type === followUpType
    ? status === 'failed'
    : followUpType === 'payout' && status === 'paid'
}
