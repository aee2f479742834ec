import type { Payment, PaymentKind } from './payment-kind'
import { returnCode } from './return-codes'

/** What a payment that came to nothing leads to; `id` says what a screen offers for it, `sentence` is for a person. */
export type NextStep = { id: 'follow' | 'unblock' | 'other_account' | 'resubmit' | 'stop'; sentence: string }

/** What the next step hangs on: the payment, and as far as they are known its paykey's state and whether that can be unblocked. */
export type NextFacts = {
  kind: PaymentKind
  payment: Pick<Payment, 'status' | 'status_details' | 'has_resubmit'>
  paykeyStatus?: string
  unblockEligible?: boolean
}

const lost = ['blocked', 'rejected', 'inactive']

/** The next step after a failure or a return; null where there is none to name. Nothing is offered twice: what was made anew is followed instead. */
export function nextStep({ kind, payment, paykeyStatus = '', unblockEligible }: NextFacts): NextStep | null {
  if (!['failed', 'reversed', 'cancelled'].includes(payment.status)) return null
  if (payment.has_resubmit === true) return { id: 'follow', sentence: `It was sent again as a new ${kind}.` }
  if (payment.status === 'cancelled') return null
  const code = returnCode(payment.status_details?.code)
  if (paykeyStatus === 'blocked' && unblockEligible === true)
    return {
      id: 'unblock',
      sentence: 'Once the customer’s bank allows the originator, unblock the bank account (once only), then send it again.',
    }
  if (code?.again === 'never' && !code.otherAccount) return { id: 'stop', sentence: 'Nothing more is to be sent for it.' }
  if (code?.again === 'never' || lost.includes(paykeyStatus))
    return { id: 'other_account', sentence: `Connect another bank account of the customer, then create a new ${kind} with it.` }
  if (code?.first) return { id: 'resubmit', sentence: `It can be sent again once this is true: ${code.first}` }
  return { id: 'resubmit', sentence: `It can be sent again as a new ${kind}.` }
}
