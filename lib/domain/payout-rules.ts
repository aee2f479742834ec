import { type AmountUnit, minorUnits } from '@/lib/money'
import type { Payout } from '@/lib/operations/payouts.schema'
import { isKnownStatus, statusWords } from './status'

/** What a person can do to a payout; the verb of the operation id. */
export type PayoutAction = 'release' | 'hold' | 'cancel' | 'authorize'

/** The states each action may start from (provider facts 3.1 and 1.5); a proof may be added in every state. */
export const startsFrom: Record<PayoutAction, readonly string[] | 'any'> = {
  release: ['on_hold'],
  hold: ['created', 'scheduled'],
  cancel: ['created', 'scheduled', 'on_hold'],
  authorize: 'any',
}

const verbs: Record<PayoutAction, string> = { release: 'released', hold: 'held', cancel: 'cancelled', authorize: 'given a document' }

/** What `whyNot` may know besides the payout: the live state of its paykey and how amounts are written. */
export type RuleContext = { paykeyStatus?: string; unit: AmountUnit }

/** The one open question that closes a release: payments on a paykey in review stay held until the review ends (interface document). */
const paykeyReasons: Record<string, string> = {
  review: 'The bank account is in review: the payout stays held until that review is decided.',
  blocked: 'The bank account is blocked: a released payout would fail at once.',
  rejected: 'The bank account was rejected: a released payout would fail at once.',
  inactive: 'The bank account is switched off: a released payout would fail at once.',
}

/** Why an action cannot be done on a payout now, as a sentence; null when it can. An unknown state explains itself rather than guessing. */
export function whyNot(action: PayoutAction, payout: Pick<Payout, 'status' | 'amount'>, context: RuleContext): string | null {
  const states = startsFrom[action]
  if (states === 'any') return null
  return (
    whyNotFrom(action, payout.status, states) ?? whyNotAmount(payout.amount, context.unit) ?? whyNotPaykey(action, context.paykeyStatus)
  )
}

function whyNotFrom(action: PayoutAction, status: string, states: readonly string[]): string | null {
  if (states.includes(status)) return null
  if (!isKnownStatus('payment', status)) return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  const from = states.map((state) => statusWords('payment', state).label.toLowerCase()).join(' or ')
  return `It is ${statusWords('payment', status).label.toLowerCase()}: only a payout that is ${from} can be ${verbs[action]}.`
}

function whyNotAmount(raw: string, unit: AmountUnit): string | null {
  if (minorUnits(raw, unit) !== null) return null
  return 'The amount cannot be read in the configured unit, so nothing is sent for it. Ask an admin to check the amount unit.'
}

function whyNotPaykey(action: PayoutAction, status: string | undefined): string | null {
  return action === 'release' && status !== undefined && Object.hasOwn(paykeyReasons, status) ? (paykeyReasons[status] ?? null) : null
}
