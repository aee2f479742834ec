import type { Limits } from '@/sandbox/accounts/account'
import { assessMove, defineMachine } from '@/sandbox/machine'
import { stepDelays } from '@/sandbox/payments/payment'
import { type Cause, findForcedMove } from '@/sandbox/payments/payment-outcomes'
import { dayNumber } from '@/sandbox/payments/payment-store'
import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, toPaymentDate } from '@/sandbox/store/clock'
import type { Entry } from '@/sandbox/store/doc-table'
import type { FundingEvent } from './funding-event'

const aMinute = 60_000
const dayInMs = 86_400_000

/** Milliseconds from the first payment that waits for funding to the funding event that collects it and all payments that followed. */
export const collectDelayMs = aMinute

/** Banking days from the creation of a funding event until its money arrives, by the account's `funding_time`. */
const bankingDays: Readonly<Record<Limits['funding_time'], number>> = {
  immediate: 0,
  ...{ next_day: 1, one_day: 1, two_day: 2, three_day: 3, four_day: 4, five_day: 5 },
}

// Day 0 is January 1, 1970, a Thursday.
const isWeekend = (day: number): boolean => [2, 3].includes(day % 7)

/** Returns the date in New York on which money arrives that was sent at `at`. Skips Saturdays and Sundays but not holidays. */
export function toTransferDate(at: number, fundingTime: Limits['funding_time']): string {
  let day = dayNumber(toPaymentDate(at))
  let daysLeft = bankingDays[fundingTime]
  while (daysLeft > 0 || isWeekend(day)) {
    day += 1
    if (!isWeekend(day)) daysLeft -= 1
  }
  return new Date(day * dayInMs).toISOString().slice(0, 10)
}

/** Returns 13:30 UTC of a date, morning in New York, when banks settle the first transfers of the day. */
const settlementTime = (date: string): number => Date.parse(`${date}T13:30:00Z`)

/**
 * Returns the time of a funding event's next automatic move, or undefined if there is none. With the `standard` outcome, money arrives on
 * the morning of its transfer date. With any other, it arrives after a minute.
 */
export function getNextFundingMoveAt({ status, status_details, config, transfer_date }: FundingEvent): number | undefined {
  const from = Date.parse(status_details.changed_at)
  switch (status) {
    case 'created':
      return from + stepDelays.check
    case 'pending':
      return config.sandbox_outcome === 'standard' ? Math.max(from + aMinute, settlementTime(transfer_date)) : from + aMinute
    case 'paid':
      return findForcedMove(config.sandbox_outcome)?.move === 'reverse' ? from + stepDelays.reverse : undefined
    default:
      return undefined
  }
}

/**
 * State machine of funding events (provider-facts 3.6). Timers make every move; clients cannot request one. Moves of a forced outcome have
 * the same names as those of payments, so that both use one table of outcomes.
 */
export const fundingMachine = defineMachine({
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

type FundingMove = keyof typeof fundingMachine.moves

const defaultCauses: Readonly<Record<'send' | 'settle', Cause>> = {
  send: { reason: 'ok', source: 'system', message: 'Sent to the bank network' },
  settle: { reason: 'ok', source: 'system', message: 'Transfer completed' },
}

export function findNextFundingMove({ status, config }: FundingEvent): { move: FundingMove; cause: Cause } | undefined {
  const canMove = (move: FundingMove) => assessMove(fundingMachine, move, status as FundingStatus) === 'moves'
  const forced = findForcedMove(config.sandbox_outcome)
  if (forced && canMove(forced.move)) return forced
  const move = (['send', 'settle'] as const).find(canMove)
  return move && { move, cause: defaultCauses[move] }
}

/** Returns the trace number of a transfer: the first eight digits of the sending bank's routing number, then a counter. */
const traceNumber = (n: number): string => `09100001${String(n % 10_000_000).padStart(7, '0')}`

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
  const at = getNextFundingMoveAt(doc)
  if (at !== undefined) timers.set('funding_event', n, at)
}

export function moveFundingEvent(sandbox: Sandbox, target: string, at: number): void {
  const entry = sandbox.fundingEvents.at(Number(target))
  const nextMove = entry && findNextFundingMove(entry.doc)
  if (!entry || !nextMove) return
  moveFundingDoc(entry.doc, entry.n, nextMove.move, nextMove.cause, at)
  sandbox.fundingEvents.save(entry)
  startFundingEvent(sandbox, entry)
  sandbox.events.changed({ resource: 'funding_event', accountId: sandbox.accounts.idOf(entry.account ?? 0), data: entry.doc }, at)
}

export function findFundingBank(sandbox: Sandbox, account: number, type: PaymentType): FundingEvent['linked_bank_account_details'] {
  const id = sandbox.accounts.at(account)?.doc.settings[`${type}s`].linked_bank_account_id
  const linked = id ? sandbox.linkedBankAccounts.get(id)?.doc.bank_account : undefined
  if (!linked) return null
  const { account_mask, ...details } = linked
  return { ...details, account_number: `*****${account_mask}` }
}
