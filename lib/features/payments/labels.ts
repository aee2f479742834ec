import type { PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentAction } from '@/lib/domain/payment-rules'
import { moneyText } from '@/lib/money'
import type { DocumentCopy } from '@/lib/operations/documents'

type PaymentNouns = {
  resource: 'payouts' | 'charges'
  one: string
  many: string
  title: string
  /** Payouts go `to` a customer, charges come `from` one. */
  way: 'to' | 'from'
  /** The header of the payment date column. */
  on: string
  /** The verb of a button that contains the amount. */
  verb: string
}

export const paymentNouns: Readonly<Record<PaymentKind, PaymentNouns>> = {
  payout: {
    resource: 'payouts',
    one: 'payout',
    many: 'payouts',
    title: 'Payout',
    way: 'to',
    on: 'Pay on',
    verb: 'Pay out',
  },
  charge: {
    resource: 'charges',
    one: 'charge',
    many: 'charges',
    title: 'Charge',
    way: 'from',
    on: 'Charge on',
    verb: 'Charge',
  },
}

/** `signed` is the provider's older name for `signed_agreement` (provider facts 2.2). */
export const consentTypeLabels: Readonly<Record<string, string>> = {
  internet: 'Internet authorization',
  signed_agreement: 'Signed agreement',
  signed: 'Signed agreement',
}

export const balanceCheckLabels: Readonly<Record<string, string>> = {
  enabled: 'Checked where available',
  required: 'Required: rejected if unavailable',
  disabled: 'Not checked',
}

/** Outcomes that a test can request. Only the sandbox applies them. */
export const paymentOutcomeLabels: Readonly<Record<string, string>> = {
  standard: 'Standard outcome',
  paid: 'Paid',
  on_hold_daily_limit: 'Held over the daily limit',
  cancelled_for_fraud_risk: 'Canceled: fraud risk',
  cancelled_for_balance_check: 'Canceled: balance check',
  failed_insufficient_funds: 'Failed, R01: insufficient funds',
  reversed_insufficient_funds: 'Reversed, R01: insufficient funds',
  failed_customer_dispute: 'Failed, R05: not authorized (consumer)',
  reversed_customer_dispute: 'Reversed, R05: not authorized (consumer)',
  failed_closed_bank_account: 'Failed, R02: account closed',
  reversed_closed_bank_account: 'Reversed, R02: account closed',
  failed_not_authorized: 'Failed, R29: not authorized (corporate)',
  reversed_not_authorized: 'Reversed, R29: not authorized (corporate)',
}

/** `opens`: button, `key`: shortcut key, `verb`: verb of the send button. */
type PaymentActionTexts = { opens: string; key: string; verb: string; consequence: string }

export function getPaymentActionTexts(
  kind: PaymentKind,
): Readonly<Record<PaymentAction, PaymentActionTexts>> {
  return {
    release: {
      opens: 'Release…',
      key: 'r',
      verb: 'Release',
      consequence: 'The payment goes to the bank network and cannot be recalled from there.',
    },
    hold: {
      opens: 'Hold…',
      key: 'h',
      verb: 'Hold',
      consequence: 'The payment stays on hold until someone releases or cancels it.',
    },
    cancel: {
      opens: `Cancel ${kind}…`,
      key: 'x',
      verb: 'Cancel',
      consequence: `This permanently cancels the ${kind} and cannot be undone.`,
    },
    update: {
      opens: 'Edit…',
      key: 'e',
      verb: 'Change',
      consequence: 'The service checks the changed payment again.',
    },
    resubmit: {
      opens: 'Resubmit…',
      key: 's',
      verb: 'Resubmit',
      consequence: `This creates a new ${kind} on the same bank account. A payment can be resubmitted once.`,
    },
    refund: {
      opens: 'Refund…',
      key: 'f',
      verb: 'Refund',
      consequence:
        'This creates a payout to the bank account of the charge. A charge can be refunded once, whatever the amount.',
    },
    authorize: { opens: 'Upload proof', key: 'u', verb: 'Upload', consequence: '' },
  }
}

/**
 * Contains the amount, so that a person notices a wrong payment. `minor` is null if unknown.
 * `requestLabel` is set if a second person must approve: the button then only requests the action.
 */
export function toSendButtonLabel(
  action: PaymentAction,
  kind: PaymentKind,
  minor: number | null,
  currency: string,
  requestLabel: string | null,
): string {
  const { verb } = getPaymentActionTexts(kind)[action]
  const amountText = minor === null ? 'an unclear amount' : moneyText(minor, currency)
  if (requestLabel !== null) return `${requestLabel} of ${amountText}`
  return action === 'cancel' ? `Cancel ${kind} of ${amountText}` : `${verb} ${amountText}`
}

/** Why a document that was uploaded in Paydesk cannot be opened. */
export const missingCopyTexts: Readonly<Record<Exclude<DocumentCopy, 'kept'>, string>> = {
  not_kept: 'Paydesk kept no copies when this document was uploaded.',
  expired: 'Paydesk deleted its copy at the end of the retention period.',
  erased: 'Paydesk deleted its copy with the customer’s data.',
}

export const uploadedElsewhereText = 'Not uploaded in Paydesk, so it can’t be opened here.'
