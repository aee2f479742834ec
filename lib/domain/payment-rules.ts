import { type AmountUnit, minorUnits } from '@/lib/money'
import type { Payment, PaymentKind } from './payment-kind'
import { returnCode } from './return-codes'
import { isKnownStatus, statusWords } from './status'

/** What a person can do to a charge or a payout; the verb of the operation id. */
export type PaymentAction = 'release' | 'hold' | 'cancel' | 'update' | 'resubmit' | 'refund' | 'authorize'

/** The states each action may start from (provider facts 3.1, 1.4, 1.5); a proof may be added in every state. */
export const startsFrom: Record<PaymentAction, readonly string[] | 'any'> = {
  release: ['on_hold'],
  hold: ['created', 'scheduled'],
  cancel: ['created', 'scheduled', 'on_hold'],
  // The older documents also name scheduled; the newest contract and the service do not (provider facts 1.4).
  update: ['created', 'on_hold'],
  resubmit: ['failed', 'reversed', 'cancelled'],
  refund: ['paid'],
  authorize: 'any',
}

const verbs: Record<PaymentAction, string> = {
  release: 'released',
  hold: 'held',
  cancel: 'cancelled',
  update: 'changed',
  resubmit: 'sent again',
  refund: 'refunded',
  authorize: 'given a document',
}

/**
 * The actions that belong to a state, in the order of the bar; those that cannot be done right now are among them and say why. An unknown state
 * has those of a payment on its way, all closed, since nothing is known to be over.
 */
export function actionsAt(kind: PaymentKind, status: string): readonly PaymentAction[] {
  if (startsFrom.resubmit.includes(status)) return ['resubmit', 'authorize']
  if (startsFrom.refund.includes(status)) return kind === 'charge' ? ['refund', 'authorize'] : ['authorize']
  return ['release', 'hold', 'cancel', 'update', 'authorize']
}

/** What the rules look at. */
export type RulePayment = Pick<Payment, 'status' | 'amount' | 'status_details' | 'has_resubmit' | 'has_refund'>

/** What `whyNot` may know besides the payment: what it is, the live state of its paykey, and how amounts are written. */
export type RuleContext = { kind: PaymentKind; paykeyStatus?: string; unit: AmountUnit }

/** Why an action cannot be done now, as a sentence; null when it can. An unknown state explains itself rather than guessing. */
export function whyNot(action: PaymentAction, payment: RulePayment, context: RuleContext): string | null {
  const states = startsFrom[action]
  if (states === 'any') return null
  if (action === 'refund' && context.kind === 'payout') return 'Only a charge can be refunded.'
  return (
    whyNotFrom(action, payment.status, states, context.kind) ??
    whyNotTwice(action, payment, context.kind) ??
    whyNotAmount(payment.amount, context.unit) ??
    whyNotPaykey(action, context) ??
    whyNotCode(action, payment, context.kind)
  )
}

function whyNotFrom(action: PaymentAction, status: string, states: readonly string[], kind: PaymentKind): string | null {
  if (states.includes(status)) return null
  if (!isKnownStatus('payment', status)) return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  const from = states.map((state) => statusWords('payment', state).label.toLowerCase()).join(' or ')
  return `It is ${statusWords('payment', status).label.toLowerCase()}: only a ${kind} that is ${from} can be ${verbs[action]}.`
}

/** A payment is made anew once and refunded once; a second one would be taken and then cancelled (provider facts 3.1). */
function whyNotTwice(action: PaymentAction, payment: RulePayment, kind: PaymentKind): string | null {
  if (action !== 'resubmit' && action !== 'refund') return null
  const done = action === 'resubmit' ? payment.has_resubmit : payment.has_refund
  if (done === true) return action === 'resubmit' ? `This ${kind} was sent again already.` : `This ${kind} was refunded already.`
  if (done === undefined) return `The service does not say whether this ${kind} was ${verbs[action]} already, so Paydesk does not offer it.`
  return null
}

function whyNotAmount(raw: string, unit: AmountUnit): string | null {
  if (minorUnits(raw, unit) !== null) return null
  return 'The amount cannot be read in the configured unit, so nothing is sent for it. Ask an admin to check the amount unit.'
}

const doing: Partial<Record<PaymentAction, string>> = { release: 'a released', resubmit: 'another', refund: 'a refund' }
const states: Readonly<Record<string, string>> = { blocked: 'is blocked', rejected: 'was rejected', inactive: 'is switched off' }

/** Payments on a paykey in review stay held until the review ends (interface document); on one that cannot be used they fail at once. */
function whyNotPaykey(action: PaymentAction, { kind, paykeyStatus }: RuleContext): string | null {
  const what = doing[action]
  if (what === undefined || paykeyStatus === undefined) return null
  if (paykeyStatus === 'review' && action === 'release')
    return `The bank account is in review: the ${kind} stays held until that review is decided.`
  const state = Object.hasOwn(states, paykeyStatus) ? states[paykeyStatus] : undefined
  return state ? `The bank account ${state}: ${action === 'refund' ? what : `${what} ${kind}`} would fail at once.` : null
}

/** A bank's answer that another try on the same account cannot change. */
function whyNotCode(action: PaymentAction, { status_details }: RulePayment, kind: PaymentKind): string | null {
  const code = action === 'resubmit' ? returnCode(status_details?.code) : null
  if (code?.again !== 'never') return null
  return `${status_details?.code}, ${code.meaning.charAt(0).toLowerCase()}${code.meaning.slice(1)}: the same account would send it back again. Create a new ${kind} instead.`
}

/** What must be ticked before a payment is made anew: what its return code asks for, and what the service has not said. */
export function resubmitCautions({ status_details }: Pick<Payment, 'status_details'>, paykeyStatus: string | undefined): string[] {
  const raw = status_details?.code
  const code = returnCode(raw)
  const cautions: string[] = []
  if (code?.first) cautions.push(`${raw}: ${code.first}`)
  if (raw && !code) cautions.push(`${raw} is a code Paydesk does not know; its meaning was looked up and allows another try.`)
  if (paykeyStatus === 'review') cautions.push('The bank account is in review: the new payment is held until that is decided.')
  return cautions
}
