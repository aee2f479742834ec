import type { AccountLimits } from '@/sandbox/accounts/account'
import { requireAccountRowNumber } from '@/sandbox/accounts/owner'
import { assessMove, defineMachine } from '@/sandbox/machine'
import { stepDelaysMs } from '@/sandbox/payments/payment'
import { findForcedMove, type StatusCause } from '@/sandbox/payments/payment-outcomes'
import { toDayNumber } from '@/sandbox/payments/payment-store'
import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime, toPaymentDate } from '@/sandbox/store/clock'
import type { TableEntry } from '@/sandbox/store/doc-table'
import type { FundingEvent } from './funding-event'

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Milliseconds from the first payment that waits for a funding event to the event. The event also
 * collects the payments that began to wait during this time.
 */
export const fundingCollectionDelayMs = minuteMs

/** Banking days until a funding event's money arrives. */
const bankingDaysByFundingTime: Readonly<Record<AccountLimits['funding_time'], number>> = {
  immediate: 0,
  ...{ next_day: 1, one_day: 1, two_day: 2, three_day: 3, four_day: 4, five_day: 5 },
}

// Day 0 is January 1, 1970, a Thursday. So remainder 2 is a Saturday and remainder 3 a Sunday.
const isWeekend = (epochDay: number): boolean => [2, 3].includes(epochDay % 7)

/** Returns a date in New York. `at` is epoch milliseconds. Skips weekends but not holidays. */
export function toTransferDate(at: number, fundingTime: AccountLimits['funding_time']): string {
  let epochDay = toDayNumber(toPaymentDate(at))
  let daysLeft = bankingDaysByFundingTime[fundingTime]
  while (daysLeft > 0 || isWeekend(epochDay)) {
    epochDay += 1
    if (!isWeekend(epochDay)) daysLeft -= 1
  }
  return new Date(epochDay * dayMs).toISOString().slice(0, 10)
}

/** Banks settle a date's first transfers at 13:30 UTC, which is morning in New York. */
const getSettlementTime = (date: string): number => Date.parse(`${date}T13:30:00Z`)

/**
 * Returns undefined if there is no further move. With the `standard` outcome, money arrives on the
 * morning of the transfer date; with any other, a minute after it was sent.
 */
export function getNextFundingMoveAt({
  status,
  status_details,
  config,
  transfer_date,
}: FundingEvent): number | undefined {
  const changedAt = Date.parse(status_details.changed_at)
  switch (status) {
    case 'created':
      return changedAt + stepDelaysMs.check
    case 'pending':
      return config.sandbox_outcome === 'standard'
        ? Math.max(changedAt + minuteMs, getSettlementTime(transfer_date))
        : changedAt + minuteMs
    case 'paid':
      return findForcedMove(config.sandbox_outcome)?.move === 'reverse'
        ? changedAt + stepDelaysMs.reverse
        : undefined
    default:
      return undefined
  }
}

/**
 * State machine of funding events (provider-facts 3.6). Timers make every move; clients cannot
 * request one. `fail`, `reverse`, `check_hold` and `check_cancel` have the same names as moves of
 * payments, because `findForcedMove` returns these names for both.
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

const defaultCauseByMove: Readonly<Record<'send' | 'settle', StatusCause>> = {
  send: { reason: 'ok', source: 'system', message: 'Sent to the bank network' },
  settle: { reason: 'ok', source: 'system', message: 'Transfer completed' },
}

export function findNextFundingMove({
  status,
  config,
}: FundingEvent): { move: FundingMove; cause: StatusCause } | undefined {
  const canMove = (move: FundingMove) =>
    assessMove(fundingMachine, move, status as FundingStatus) === 'moves'
  const forcedMove = findForcedMove(config.sandbox_outcome)
  if (forcedMove && canMove(forcedMove.move)) return forcedMove
  const move = (['send', 'settle'] as const).find(canMove)
  return move && { move, cause: defaultCauseByMove[move] }
}

/** The first eight digits of the sending bank's routing number, then a counter. */
const formatTraceNumber = (n: number): string =>
  `09100001${String(n % 10_000_000).padStart(7, '0')}`

export function moveFundingDoc(
  doc: FundingEvent,
  rowNumber: number,
  move: FundingMove,
  cause: StatusCause,
  at: number,
): void {
  const status = fundingMachine.moves[move].to as FundingStatus
  const statusDetails = {
    message: cause.message,
    reason: cause.reason,
    source: cause.source,
    changed_at: toIsoTime(at),
    code: cause.code ?? null,
  }
  doc.status = status
  doc.status_details = statusDetails
  doc.status_history.push({ status, ...statusDetails })
  doc.updated_at = toIsoTime(at)
  if (move !== 'send') return
  const traceNumber = formatTraceNumber(rowNumber)
  Object.assign(doc, {
    trace_number: traceNumber,
    trace_numbers: [traceNumber],
    trace_ids: { [doc.direction]: traceNumber },
  })
}

export function scheduleNextFundingMove(
  { timers }: Sandbox,
  { n, doc }: TableEntry<FundingEvent>,
): void {
  const at = getNextFundingMoveAt(doc)
  if (at !== undefined) timers.set('funding_event', n, at)
}

export function moveFundingEvent(sandbox: Sandbox, fundingEventNumber: string, at: number): void {
  const entry = sandbox.fundingEvents.at(Number(fundingEventNumber))
  const nextMove = entry && findNextFundingMove(entry.doc)
  if (!entry || !nextMove) return
  moveFundingDoc(entry.doc, entry.n, nextMove.move, nextMove.cause, at)
  sandbox.fundingEvents.save(entry)
  scheduleNextFundingMove(sandbox, entry)
  sandbox.events.changed(
    {
      resource: 'funding_event',
      accountId: sandbox.accounts.idOf(requireAccountRowNumber(entry.account)),
      data: entry.doc,
    },
    at,
  )
}

export function findFundingBankAccount(
  sandbox: Sandbox,
  account: number,
  type: PaymentType,
): FundingEvent['linked_bank_account_details'] {
  const id = sandbox.accounts.at(account)?.doc.settings[`${type}s`].linked_bank_account_id
  const bankAccount = id ? sandbox.linkedBankAccounts.get(id)?.doc.bank_account : undefined
  if (!bankAccount) return null
  const { account_mask, ...details } = bankAccount
  return { ...details, account_number: `*****${account_mask}` }
}
