import { requireSwitch } from '@/sandbox/accounts/configuration'
import { objectOperation } from '@/sandbox/operation'
import { findPayment } from './find-payment'
import { unmaskedSchemas } from './payment-schema'
import type { PaymentType } from './payment-values'
import { paymentView } from './payment-view'

/** `GET /v1/charges/{id}/unmask` and `GET /v1/payouts/{id}/unmask`: full token and real address; 403 unless the account allows it. */
export const unmaskPayment = (type: PaymentType) =>
  objectOperation({
    id: `${type}s.unmask`,
    method: 'GET',
    path: `/v1/${type}s/:id/unmask`,
    summary: `Look up a ${type} with its full token and the real address of the device`,
    account: 'optional',
    output: unmaskedSchemas[type],
    handle: (call) => {
      const { sandbox } = call
      const payment = findPayment(type, call)
      requireSwitch(sandbox, payment.account, 'allow_data_unmask')
      const token = sandbox.paykeys.at(payment.paykey)?.secret.token
      if (token === undefined) throw new RangeError(`payment ${payment.n} has no paykey`)
      return { ...paymentView(sandbox, payment), paykey: token, device: payment.doc.device }
    },
  })
