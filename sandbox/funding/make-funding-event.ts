import type { Payment } from '@/sandbox/payments/payment'
import { announcePayment } from '@/sandbox/payments/payment-events'
import type { SandboxOutcome } from '@/sandbox/payments/payment-outcomes'
import type { PaymentType } from '@/sandbox/payments/payment-values'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso, paymentDateOf } from '@/sandbox/store/clock'
import type { Entry } from '@/sandbox/store/doc-table'
import { newId } from '@/sandbox/store/new-id'
import { fundingBankOf } from './funding-bank'
import { type FundingEvent, newFundingEvent } from './funding-event'
import { startFundingEvent } from './funding-event-moves'
import { type FundingLine, isMain } from './funding-lines'
import { collectAfter, transferDateOf } from './funding-times'

/** Maximum lines of one event, unless they sum to 0; the rest goes into the next one. */
const linesAtMost = 1_000

/** Schedules the collection of waiting lines after `at`, unless it is already scheduled. */
export function awaitFunding({ timers }: Sandbox, account: number, type: PaymentType, at: number): void {
  const target = `${account}:${type}`
  if (timers.at('funding', target) === undefined) timers.set('funding', target, at + collectAfter)
}

/** Collects the waiting lines of one account and type when due; `target` contains both. */
export function collectFunding(sandbox: Sandbox, target: string, at: number): void {
  const [account, type] = target.split(':')
  makeFundingEvent(sandbox, Number(account), type === 'charge' ? 'charge' : 'payout', at)
}

/**
 * Creates one funding event from the waiting lines of an account and type. Returns undefined, without a change, if there are none or they
 * sum to 0.
 */
export function makeFundingEvent(
  sandbox: Sandbox,
  account: number,
  type: PaymentType,
  at: number,
  outcome: SandboxOutcome = 'standard',
): Entry<FundingEvent> | undefined {
  const { collected, sum, left } = sandbox.fundingEvents.lines.collect(account, type, linesAtMost)
  if (sum === 0) return undefined
  const fundingTime = sandbox.accounts.at(account)?.doc.settings[`${type}s`].funding_time ?? 'one_day'
  const doc = newFundingEvent({
    id: newId(at),
    ...{ type, sum, count: collected.length, at: iso(at) },
    transfer_date: outcome === 'standard' ? transferDateOf(at, fundingTime) : paymentDateOf(at),
    config: { sandbox_outcome: outcome },
    linked_bank_account_details: fundingBankOf(sandbox, account, type),
  })
  const entry = sandbox.fundingEvents.insert(account, doc, null)
  sandbox.events.created({ resource: 'funding_event', accountId: sandbox.accounts.idOf(account), data: doc }, at)
  for (const line of collected) placeLine(sandbox, line, entry.n, at)
  startFundingEvent(sandbox, entry)
  if (left) awaitFunding(sandbox, account, type, at)
  return entry
}

/** Inclusion in a funding event changes the payment, because a payment lists its funding events. */
function placeLine(sandbox: Sandbox, line: FundingLine, event: number, at: number): void {
  sandbox.fundingEvents.lines.place(line, event)
  const payment: Payment = sandbox.payments.at(line.payment - 1)
  if (isMain(line)) payment.funding = event
  payment.updated_at = Math.max(payment.updated_at, at)
  sandbox.payments.save(payment)
  announcePayment(sandbox, payment, at)
}
