import { judge, machine } from '@/sandbox/machine'
import type { Cause } from '@/sandbox/payments/payment-outcomes'
import { forcedBy } from '@/sandbox/payments/payment-outcomes'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import type { Entry } from '@/sandbox/store/doc-table'
import type { FundingEvent } from './funding-event'
import { nextFundingLookAt } from './funding-times'

/**
 * State machine of funding events (provider-facts 3.6). The clock makes every move; no request can. Forced moves have the names of the
 * payments' moves, so that both use one table of outcomes.
 */
export const fundingMachine = machine({
  noun: 'funding event',
  states: ['created', 'pending', 'paid', 'failed', 'reversed', 'on_hold', 'cancelled'],
  moves: {
    send: { by: 'clock', from: ['created'], to: 'pending', done: 'sent' },
    settle: { by: 'clock', from: ['pending'], to: 'paid', done: 'settled' },
    fail: { by: 'clock', from: ['pending'], to: 'failed', done: 'returned before it was paid' },
    reverse: { by: 'clock', from: ['paid'], to: 'reversed', done: 'reversed' },
    check_hold: { by: 'clock', from: ['created'], to: 'on_hold', done: 'held by a check' },
    check_cancel: { by: 'clock', from: ['created'], to: 'cancelled', done: 'cancelled by a check' },
  },
})

type FundingStatus = (typeof fundingMachine.states)[number]

export type FundingMove = keyof typeof fundingMachine.moves

const usual: Readonly<Record<'send' | 'settle', Cause>> = {
  send: { reason: 'ok', source: 'system', message: 'Sent to the bank network' },
  settle: { reason: 'ok', source: 'system', message: 'Transfer completed' },
}

/** Returns the next clock move and its cause: the outcome's forced move if the state allows it, otherwise the usual one. */
export function nextFundingMove({ status, config }: FundingEvent): { move: FundingMove; cause: Cause } | undefined {
  const moves = (move: FundingMove) => judge(fundingMachine, move, status as FundingStatus) === 'moves'
  const forced = forcedBy(config.sandbox_outcome)
  if (forced && moves(forced.move)) return forced
  const move = (['send', 'settle'] as const).find(moves)
  return move && { move, cause: usual[move] }
}

/** Trace number of a transfer: the first eight digits of the sending bank and a counter. */
const traceNumber = (n: number): string => `09100001${String(n % 10_000_000).padStart(7, '0')}`

/** Applies a move to the document of event number `n`. The caller saves it. */
export function moveFundingDoc(doc: FundingEvent, n: number, move: FundingMove, cause: Cause, at: number): void {
  const status = fundingMachine.moves[move].to as FundingStatus
  const details = { message: cause.message, reason: cause.reason, source: cause.source, changed_at: iso(at), code: cause.code ?? null }
  doc.status = status
  doc.status_details = details
  doc.status_history.push({ status, ...details })
  doc.updated_at = iso(at)
  if (move !== 'send') return
  const trace = traceNumber(n)
  Object.assign(doc, { trace_number: trace, trace_numbers: [trace], trace_ids: { [doc.direction]: trace } })
}

export function startFundingEvent({ timers }: Sandbox, { n, doc }: Entry<FundingEvent>): void {
  const at = nextFundingLookAt(doc)
  if (at !== undefined) timers.set('funding_event', n, at)
}

/** Makes the due move of an event, saves and announces it. */
export function moveFundingEvent(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.fundingEvents.at(Number(target))
  const next = entry && nextFundingMove(entry.doc)
  if (!entry || !next) return
  moveFundingDoc(entry.doc, entry.n, next.move, next.cause, at)
  sandbox.fundingEvents.save(entry)
  startFundingEvent(sandbox, entry)
  sandbox.events.changed({ resource: 'funding_event', accountId: sandbox.accounts.idOf(entry.account ?? 0), data: entry.doc }, at)
}
