import { changeReasons } from './change-reasons'
import type { DecisionReason } from './decision-reasons'
import type { PaymentKind } from './payment-kind'

const replaces = (one: PaymentKind): DecisionReason => ({
  code: 'REPLACES_PAYMENT',
  label: 'Replaces an earlier payment',
  template: `This ${one} replaces an earlier payment that did not go through.`,
})

/** The reasons offered for a new payment. The service takes none: ours stays in the action book. */
export const newPaymentReasons: Readonly<Record<PaymentKind, readonly DecisionReason[]>> = {
  payout: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The payout is due under the agreement with the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked for this payout.' },
    replaces('payout'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier payout was too low; this one makes up for it.' },
  ],
  charge: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The charge is due under the authorization of the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked to be charged now.' },
    replaces('charge'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier charge was too low; this one makes up for it.' },
  ],
}

/** The reasons offered for a change of a payment that was not sent yet; kept in the same way. */
export const paymentChangeReasons: readonly DecisionReason[] = [
  { code: 'AMOUNT_CORRECTED', label: 'Amount corrected', template: 'The amount was entered incorrectly and has been corrected.' },
  { code: 'DATE_CHANGED', label: 'Payment date changed', template: 'The payment date was changed as agreed with the customer.' },
  { code: 'DESCRIPTION_CHANGED', label: 'Description changed', template: 'The description on the bank statement was corrected.' },
  { code: 'CUSTOMER_REQUEST', label: 'Customer asked for it', template: 'The customer asked for this change.' },
  changeReasons.metadata,
]
