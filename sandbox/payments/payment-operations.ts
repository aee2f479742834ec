import { requireConfigFlag } from '@/sandbox/accounts/configuration'
import { requireMove } from '@/sandbox/machine'
import type { Operation, OperationCall } from '@/sandbox/operation'
import { defineResource } from '@/sandbox/resource'
import { toIsoTime } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { requireUploadedDocument } from './check-document'
import {
  chargeBodySchema,
  createCharge,
  createPayout,
  payoutBodySchema,
  reasonBodySchema,
  refundBodySchema,
  resubmitBodySchema,
  updatePaymentBodySchema,
} from './create-payment'
import {
  findPayment,
  findRefundedCharge,
  makeFieldProblem,
  requireTodayOrLater,
} from './find-payment'
import { getCurrentState, type Payment } from './payment'
import { applyPaymentMove, paymentMachine } from './payment-moves'
import { recordPaymentEvent, toPaymentView, toPayoutView } from './payment-reads'
import { paymentSchemas, unmaskedPaymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { refundCharge, resubmitPayment } from './refund-and-resubmit'

function requireRefundWithinCharge(
  sandbox: OperationCall['sandbox'],
  payment: Payment,
  amount: number,
): void {
  const charge = findRefundedCharge(sandbox, payment)
  if (charge && amount > charge.amount)
    throw makeFieldProblem('amount', `must be at most ${charge.amount}, the amount of the charge`)
}

const makePaymentResource = (type: PaymentType) =>
  defineResource({
    name: `${type}s`,
    account: { saas: 'optional', marketplace: 'optional' },
    output: paymentSchemas[type],
    find: (call) => findPayment(type, call),
    view: (payment: Payment, sandbox) => toPaymentView(sandbox, payment),
    journaled: (payment, { accounts }) => {
      const { id, account } = payment
      return {
        target_id: id,
        account_id: accounts.idOf(account),
        to: getCurrentState(payment).status,
      }
    },
  })

const creationHeaderPolicy = { saas: 'required', marketplace: 'required' } as const

/** A marketplace names the account for everything that moves money or proves a consent. */
const followUpHeaderPolicy = { saas: 'optional', marketplace: 'required' } as const

const chargeResource = makePaymentResource('charge')
const payoutResource = makePaymentResource('payout')

function journalNewPayment(payment: Payment, { sandbox, effect }: OperationCall): Payment {
  effect({ ...payoutResource.journaled(payment, sandbox), from: '' })
  return payment
}

const paymentResources = { charge: chargeResource, payout: payoutResource }

const makeMoveOperation = (type: PaymentType, verb: 'hold' | 'release' | 'cancel') =>
  paymentResources[type].change(
    {
      verb,
      method: 'PUT',
      summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} a ${type}`,
      input: reasonBodySchema,
    },
    (payment, { sandbox, now, input }) => {
      if (!requireMove(paymentMachine, verb, getCurrentState(payment).status, type))
        return undefined
      applyPaymentMove(sandbox, verb, payment, now, { message: input.reason || undefined })
      return payment
    },
  )

const makeUnmaskOperation = (type: PaymentType) =>
  paymentResources[type].operation(
    {
      ...{ verb: 'unmask', output: unmaskedPaymentSchemas[type] },
      summary: `Look up a ${type} with its full token and the real address of the device`,
    },
    (payment, { sandbox }) => {
      requireConfigFlag(sandbox, payment.account, 'allow_data_unmask')
      const token = sandbox.paykeys.at(payment.paykey)?.secret.token
      if (token === undefined) throw new RangeError(`payment ${payment.n} has no paykey`)
      return { ...toPaymentView(sandbox, payment), paykey: token, device: payment.doc.device }
    },
  )

const makeUpdateOperation = (type: PaymentType) =>
  paymentResources[type].change(
    {
      verb: 'update',
      method: 'PUT',
      tail: '',
      summary: `Change a ${type} that has not been scheduled`,
      input: updatePaymentBodySchema,
    },
    (payment, { sandbox, now, input: { description, amount, payment_date, metadata } }) => {
      requireTodayOrLater(payment_date, now)
      requireMove(paymentMachine, 'update', getCurrentState(payment).status, type)
      requireRefundWithinCharge(sandbox, payment, amount)
      Object.assign(payment, {
        description: description ?? '',
        amount,
        payment_date,
        updated_at: now,
      })
      if (metadata) payment.doc.metadata = metadata
      sandbox.payments.save(payment)
      sandbox.payments.reword(payment)
      recordPaymentEvent(sandbox, payment, now)
      return payment
    },
  )

const makeResubmitOperation = (type: PaymentType) =>
  paymentResources[type].operation(
    {
      ...{
        verb: 'resubmit',
        method: 'POST',
        account: followUpHeaderPolicy,
        summary: `Repeat a ${type} that failed, was reversed or was cancelled`,
      },
      ...{ status: 201, input: resubmitBodySchema, output: paymentSchemas[type] },
    },
    (original, call) =>
      toPaymentView(call.sandbox, journalNewPayment(resubmitPayment(original, call), call)),
  )

const makeAuthorizeOperation = (type: PaymentType) =>
  paymentResources[type].operation(
    {
      ...{
        verb: 'authorize',
        method: 'POST',
        tail: '/authorization',
        account: followUpHeaderPolicy,
        summary: `Upload proof of authorization for a ${type}`,
      },
      ...{ status: 201, takesFile: true, output: paymentSchemas[type] },
    },
    (payment, { sandbox, now, upload, effect }) => {
      const uploadedDocument = requireUploadedDocument(upload)
      payment.doc.documents.push({
        document_id: newId(now),
        document_name: uploadedDocument.name,
        document_type: 'payment_authorization',
        document_size: uploadedDocument.bytes,
        uploaded_at: toIsoTime(now),
      })
      payment.updated_at = now
      sandbox.payments.save(payment)
      recordPaymentEvent(sandbox, payment, now)
      effect({
        ...paymentResources[type].journaled(payment, sandbox),
        from: getCurrentState(payment).status,
        file_sha256: uploadedDocument.sha256,
      })
      return toPaymentView(sandbox, payment)
    },
  )

const makePaymentOperations = (type: PaymentType) => [
  paymentResources[type].get(`Look up a ${type}`),
  makeUnmaskOperation(type),
  makeUpdateOperation(type),
  makeMoveOperation(type, 'hold'),
  makeMoveOperation(type, 'release'),
  makeMoveOperation(type, 'cancel'),
  makeResubmitOperation(type),
  makeAuthorizeOperation(type),
]

export const paymentOperations: readonly Operation[] = [
  chargeResource.create(
    { summary: 'Create a charge', account: creationHeaderPolicy, input: chargeBodySchema },
    createCharge,
  ),
  ...makePaymentOperations('charge'),
  chargeResource.operation(
    {
      verb: 'refund',
      method: 'POST',
      account: followUpHeaderPolicy,
      summary: 'Refund a paid charge',
      status: 201,
      input: refundBodySchema,
      output: paymentSchemas.payout,
    },
    (original, call) =>
      toPayoutView(call.sandbox, journalNewPayment(refundCharge(original, call), call)),
  ),
  payoutResource.create(
    { summary: 'Create a payout', account: creationHeaderPolicy, input: payoutBodySchema },
    createPayout,
  ),
  ...makePaymentOperations('payout'),
]
