import { z } from 'zod'
import { notFound, unprocessable } from '@/sandbox/http/problem'
import { readJson } from '@/sandbox/http/read-json'
import type { Call, Operation, Result } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import { checkDocument } from './check-document'
import { type Payment, type PaymentType, stateOf } from './payment'
import { judge, makeMove, refusalOf } from './payment-moves'
import { paymentView } from './payment-view'

/** Hold, release and cancel take an optional reason; the provider gives no bound, 500 characters is the sandbox's. */
const reasonBody = z.strictObject({ reason: z.string('must be a string').max(500, 'must be at most 500 characters').nullish() })

function find(type: PaymentType, { sandbox, params, account }: Call): Payment {
  const payment = sandbox.payments.get(type, params.id ?? '')
  if (!payment || (account !== null && payment.account !== account)) throw notFound(type)
  return payment
}

const read =
  (type: PaymentType) =>
  (call: Call): Result => ({ status: 200, data: paymentView(call.sandbox, find(type, call)) })

const move =
  (name: 'hold' | 'release' | 'cancel') =>
  (call: Call): Result => {
    const { sandbox, now } = call
    const payment = find('payout', call)
    const { reason } = readJson(reasonBody, call)
    const from = stateOf(payment).status
    const verdict = judge(name, from)
    if (verdict === 'refused') throw unprocessable(refusalOf(name, payment))
    if (verdict === 'moves') {
      makeMove(name, payment, now, reason || undefined)
      sandbox.payments.save(payment)
      call.effect({ target_id: payment.id, account_id: sandbox.accounts.idOf(payment.account), from, to: stateOf(payment).status })
    }
    return { status: 200, data: paymentView(sandbox, payment) }
  }

const authorize = (call: Call): Result => {
  const { sandbox, now } = call
  const payment = find('payout', call)
  const file = checkDocument(call.upload)
  const status = stateOf(payment).status
  payment.doc.documents.push({
    document_id: newId(now),
    document_name: file.name,
    document_type: 'payment_authorization',
    document_size: file.bytes,
    uploaded_at: iso(now),
  })
  payment.updated_at = now
  sandbox.payments.save(payment)
  const account_id = sandbox.accounts.idOf(payment.account)
  call.effect({ target_id: payment.id, account_id, from: status, to: status, file_sha256: file.sha256 })
  return { status: 201, data: paymentView(sandbox, payment) }
}

const scoped = { account: 'scoped' } as const

/** Reads of charges and payouts, and what can be done to a payout. */
export const paymentOperations: readonly Operation[] = [
  { id: 'payouts.get', method: 'GET', path: '/v1/payouts/:id', ...scoped, body: 'none', handle: read('payout') },
  { id: 'payouts.hold', method: 'PUT', path: '/v1/payouts/:id/hold', ...scoped, body: 'json', handle: move('hold') },
  { id: 'payouts.release', method: 'PUT', path: '/v1/payouts/:id/release', ...scoped, body: 'json', handle: move('release') },
  { id: 'payouts.cancel', method: 'PUT', path: '/v1/payouts/:id/cancel', ...scoped, body: 'json', handle: move('cancel') },
  { id: 'payouts.authorize', method: 'POST', path: '/v1/payouts/:id/authorization', ...scoped, body: 'file', handle: authorize },
  { id: 'charges.get', method: 'GET', path: '/v1/charges/:id', ...scoped, body: 'none', handle: read('charge') },
]
