import { objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/new-id'
import { checkDocument } from './check-document'
import { findPayment } from './find-payment'
import { stateOf } from './payment'
import { announcePayment } from './payment-events'
import { paymentSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { paymentView } from './payment-view'

/** `POST /v1/charges/{id}/authorization` and the payout's: adds a proof to `documents`, in any state of the payment. */
export const authorizePayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.authorize`,
    method: 'POST',
    path: `/v1/${type}s/:id/authorization`,
    summary: `Upload proof of authorization for a ${type}`,
    account: 'optional',
    status: 201,
    takesFile: true,
    output: paymentSchemas[type],
    handle: (call) => {
      const { sandbox, now } = call
      const payment = findPayment(type, call)
      const file = checkDocument(call.upload)
      const { status } = stateOf(payment)
      payment.doc.documents.push({
        document_id: newId(now),
        document_name: file.name,
        document_type: 'payment_authorization',
        document_size: file.bytes,
        uploaded_at: iso(now),
      })
      payment.updated_at = now
      sandbox.payments.save(payment)
      announcePayment(sandbox, payment, now)
      const account_id = sandbox.accounts.idOf(payment.account)
      call.effect({ target_id: payment.id, account_id, from: status, to: status, file_sha256: file.sha256 })
      return paymentView(sandbox, payment)
    },
  })
