import { getCurrentState, type Payment } from '@/sandbox/payments/payment'
import type { SandboxOutcome } from '@/sandbox/payments/payment-outcomes'
import { recordPaymentEvent } from '@/sandbox/payments/payment-reads'
import type { PaymentStatus, PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime, toPaymentDate } from '@/sandbox/store/clock'
import type { TableEntry } from '@/sandbox/store/doc-table'
import { newId } from '@/sandbox/store/store'
import { buildFundingEvent, type FundingEvent, type FundingReason } from './funding-event'
import {
  findFundingBankAccount,
  fundingCollectionDelayMs,
  scheduleNextFundingMove,
  toTransferDate,
} from './funding-event-moves'
import { type FundingLine, isMoneyMovingLine } from './funding-lines'

/**
 * The most lines of a funding event; further lines wait for the next event. An event has more lines
 * only if the first 1,000 sum to 0.
 */
const maxLinesPerEvent = 1_000

function scheduleFunding(
  { timers }: Sandbox,
  account: number,
  type: PaymentType,
  at: number,
): void {
  const fundingTimerTarget = `${account}:${type}`
  if (timers.at('funding', fundingTimerTarget) === undefined)
    timers.set('funding', fundingTimerTarget, at + fundingCollectionDelayMs)
}

export function collectFunding(sandbox: Sandbox, accountAndType: string, at: number): void {
  const [account, type] = accountAndType.split(':')
  makeFundingEvent(sandbox, Number(account), type === 'charge' ? 'charge' : 'payout', at)
}

/** Returns undefined and changes nothing if there are no lines or they sum to 0. */
export function makeFundingEvent(
  sandbox: Sandbox,
  account: number,
  type: PaymentType,
  at: number,
  outcome: SandboxOutcome = 'standard',
): TableEntry<FundingEvent> | undefined {
  const { collected, sum, left } = sandbox.fundingEvents.lines.collect(
    account,
    type,
    maxLinesPerEvent,
  )
  if (sum === 0) return undefined
  const fundingTime =
    sandbox.accounts.at(account)?.doc.settings[`${type}s`].funding_time ?? 'one_day'
  const doc = buildFundingEvent({
    id: newId(at),
    ...{ type, sum, count: collected.length, at: toIsoTime(at) },
    transfer_date: outcome === 'standard' ? toTransferDate(at, fundingTime) : toPaymentDate(at),
    config: { sandbox_outcome: outcome },
    linked_bank_account_details: findFundingBankAccount(sandbox, account, type),
  })
  const entry = sandbox.fundingEvents.insert(account, doc, null)
  sandbox.events.created(
    { resource: 'funding_event', accountId: sandbox.accounts.idOf(account), data: doc },
    at,
  )
  for (const line of collected) addLineToEvent(sandbox, line, entry.n, at)
  scheduleNextFundingMove(sandbox, entry)
  if (left) scheduleFunding(sandbox, account, type, at)
  return entry
}

/** Writes a webhook event of the payment, because a payment lists its funding events. */
function addLineToEvent(
  sandbox: Sandbox,
  line: FundingLine,
  eventNumber: number,
  at: number,
): void {
  sandbox.fundingEvents.lines.place(line, eventNumber)
  const payment: Payment = sandbox.payments.at(line.payment - 1)
  if (isMoneyMovingLine(line)) payment.funding = eventNumber
  payment.updated_at = Math.max(payment.updated_at, at)
  sandbox.payments.save(payment)
  recordPaymentEvent(sandbox, payment, at)
}

/**
 * Funding line that a payment adds when it reaches a status. `share` times the payment's amount is
 * the line's amount. If `moved` is true, the line is added only if the payment's own money already
 * has a line or is in a funding event. If false, the line is added only if neither is the case.
 */
type FundingLineRule = { reason: FundingReason; share: 1 | 0 | -1; moved: boolean }

/**
 * A charge adds a line when it is paid. A payout adds one when it becomes pending, because the
 * account must fund a payout first (interface document, "Funding events"). A charge that failed
 * before it was paid moved no money, so its line is 0, as at the provider.
 */
const fundingLineRules: Readonly<
  Record<PaymentType, Partial<Record<PaymentStatus, FundingLineRule>>>
> = {
  charge: {
    paid: { reason: 'credit', share: 1, moved: false },
    failed: { reason: 'failed', share: 0, moved: false },
    reversed: { reason: 'reversal', share: -1, moved: true },
  },
  payout: {
    pending: { reason: 'debit', share: 1, moved: false },
    paid: { reason: 'debit', share: 1, moved: false },
    failed: { reason: 'failed', share: -1, moved: true },
    reversed: { reason: 'reversal', share: -1, moved: true },
  },
}

/** Returns false if no rule applies. Must run in a transaction. */
export function addFundingLine({ fundingEvents: { lines } }: Sandbox, payment: Payment): boolean {
  const { n, account, type, amount } = payment
  const lineRule = fundingLineRules[type][getCurrentState(payment).status]
  if (lineRule?.moved !== (payment.funding !== null || lines.mainWaits(n))) return false
  lines.add({ payment: n, reason: lineRule.reason, account, type, amount: amount * lineRule.share })
  return true
}

/** Call it in the transaction that changes the status. */
export function fundPayment(sandbox: Sandbox, payment: Payment, at: number): void {
  if (addFundingLine(sandbox, payment)) scheduleFunding(sandbox, payment.account, payment.type, at)
}
