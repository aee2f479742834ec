import type { ActionView } from '@/lib/operations/answer'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { Check } from './fact'
import { isKnownStatus, statusWords } from './status'

/** What a person can do to a paykey; the verb of the operation id. */
export type PaykeyAction = 'decide' | 'refresh_review' | 'refresh_balance' | 'unblock' | 'cancel'

/** The states each action may start from (provider facts 1.3 and 3.3). A refresh needs a paykey that can still change by it. */
export const startsFrom: Readonly<Record<PaykeyAction, readonly string[]>> = {
  decide: ['review'],
  refresh_review: ['active', 'review'],
  refresh_balance: ['active', 'review'],
  unblock: ['blocked'],
  cancel: ['pending', 'active', 'review', 'blocked'],
}

const verbs: Readonly<Record<PaykeyAction, string>> = {
  decide: 'decided',
  refresh_review: 'verified anew',
  refresh_balance: 'asked for its balance',
  unblock: 'unblocked',
  cancel: 'cancelled',
}

/** Why an unblock is closed: the condition that fails, and where to turn. Both are sentences. */
export type UnblockBar = { id: 'status' | 'eligible' | 'unknown' | 'used'; why: string; turn: string }

const newAccount = 'The customer connects another bank account.'
const askProvider = 'Ask the provider’s support with the id of the paykey.'

/**
 * The first condition of an unblock that fails, null where all hold. It is offered once per paykey, only after R29 (provider facts 3.3);
 * `usedHere` says that this desk has done it before. What the service leaves open is never read as a yes.
 */
export function unblockBar(paykey: Pick<Paykey, 'status' | 'unblock_eligible' | 'status_details'>, usedHere: boolean): UnblockBar | null {
  if (paykey.status !== 'blocked')
    return { id: 'status', why: whyNotFrom('unblock', paykey.status) ?? '', turn: 'Nothing has to be unblocked.' }
  if (usedHere) {
    return { id: 'used', why: 'It was unblocked here before, and that can be done once for a paykey, ever.', turn: newAccount }
  }
  if (paykey.unblock_eligible === true) return null
  if (paykey.unblock_eligible === undefined) {
    return { id: 'unknown', why: 'The service does not say whether this paykey may be unblocked, so it is not tried.', turn: askProvider }
  }
  const code = paykey.status_details?.code
  const why =
    code === 'R29' || code === undefined
      ? 'The service says it may not be unblocked: its one unblock was used, or the block is not one that can be lifted.'
      : `The service says it may not be unblocked: a block after ${code} stays, only one after R29 can be lifted.`
  return { id: 'eligible', why, turn: newAccount }
}

/** Whether this desk has unblocked a paykey before, by its own actions on it. An unknown outcome counts: it may have happened. */
export function unblockedHere(actions: readonly Pick<ActionView, 'operation' | 'state'>[]): boolean {
  return actions.some(({ operation, state }) => operation === 'paykeys.unblock' && state !== 'refused')
}

/** Why an action cannot be done on a paykey now, as a sentence; null when it can. An unknown state explains itself rather than guessing. */
export function whyNot(
  action: PaykeyAction,
  paykey: Pick<Paykey, 'status' | 'unblock_eligible' | 'status_details'>,
  actions: readonly Pick<ActionView, 'operation' | 'state'>[] = [],
): string | null {
  if (action !== 'unblock') return whyNotFrom(action, paykey.status)
  const bar = unblockBar(paykey, unblockedHere(actions))
  return bar && (bar.id === 'status' ? bar.why : `${bar.why} ${bar.turn}`)
}

function whyNotFrom(action: PaykeyAction, status: string): string | null {
  const states = startsFrom[action]
  if (states.includes(status)) return null
  if (!isKnownStatus('paykey', status)) return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  const from = states.map((state) => statusWords('paykey', state).label.toLowerCase()).join(' or ')
  return `It is ${statusWords('paykey', status).label.toLowerCase()}: only a paykey that is ${from} can be ${verbs[action]}.`
}

/** The conditions of an unblock that can be looked up, each with what was found; those a person answers for are ticked in the form. */
export function unblockChecks(paykey: Parameters<typeof whyNot>[1], usedHere: boolean, readAt: string): Check[] {
  const { status, unblock_eligible } = paykey
  const eligible = {
    true: { result: 'pass', sentence: 'The service says it has its unblock left.' },
    false: { result: 'fail', sentence: 'The service says it has not.' },
    undefined: { result: 'unknown', sentence: 'The service does not say.' },
  } as const
  return [
    {
      id: 'status',
      label: 'Blocked',
      result: status === 'blocked' ? 'pass' : 'fail',
      sentence: `It is ${statusWords('paykey', status).label.toLowerCase()}.`,
      at: readAt,
    },
    { id: 'eligible', label: 'Eligible', ...eligible[`${unblock_eligible}`], at: readAt },
    {
      id: 'unused',
      label: 'Never before',
      result: usedHere ? 'fail' : 'pass',
      sentence: usedHere ? 'This desk has unblocked it before.' : 'This desk has never unblocked it.',
      at: null,
    },
  ]
}
