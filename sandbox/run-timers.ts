import { finishVerification } from '@/sandbox/customers/verify-identity'
import { moveFundingEvent } from '@/sandbox/funding/funding-event-moves'
import { collectFunding } from '@/sandbox/funding/make-funding-event'
import { completeBalanceRead } from '@/sandbox/paykeys/read-balance'
import { verifyPaykey } from '@/sandbox/paykeys/verify-paykey'
import { movePayment } from '@/sandbox/payments/payment-moves'
import { blockBankAccount } from '@/sandbox/payments/payment-rights'
import type { Timer } from '@/sandbox/store/clock'
import type { Sandbox } from './sandbox'

/**
 * Runs a due timer. `at` is the due time, which is in the past after a clock jump. Handlers store
 * it as the time of the change.
 */
type TimerHandler = (sandbox: Sandbox, target: string, at: number) => void

const timerHandlers: Readonly<Record<string, TimerHandler>> = {
  payment: movePayment,
  funding: collectFunding,
  funding_event: moveFundingEvent,
  customer: finishVerification,
  bank_account_block: blockBankAccount,
  paykey_verification: verifyPaykey,
  paykey_balance: completeBalanceRead,
}

const maxTimersPerBatch = 200

class TimerFailure extends Error {
  constructor(
    readonly timer: Timer,
    cause: unknown,
  ) {
    super(`the timer ${timer.kind} of ${timer.target} failed and is dropped`, { cause })
  }
}

function runTimer(sandbox: Sandbox, timer: Timer): void {
  try {
    timerHandlers[timer.kind]?.(sandbox, timer.target, timer.at)
  } catch (error) {
    throw new TimerFailure(timer, error)
  }
}

/** Runs up to `maxTimersPerBatch` due timers. Returns false if no due timer is left. */
function runTimerBatch(sandbox: Sandbox, now: number): boolean {
  for (let done = 0; done < maxTimersPerBatch; done++) {
    // Read one timer at a time: its handler may set one that must run before the others.
    const [next] = sandbox.timers.due(now, 1)
    if (!next) return false
    // Clear the timer before its handler runs, because the handler may set it again.
    sandbox.timers.clear(next.kind, next.target)
    runTimer(sandbox, next)
  }
  return true
}

/**
 * Runs a batch of due timers. Returns true if there may be more. If a timer fails, rolls back the
 * batch, logs the timer and deletes it, so that it does not block the other timers.
 */
function runTimerBatchSafely(sandbox: Sandbox, now: number): boolean {
  try {
    return sandbox.store.transaction(() => runTimerBatch(sandbox, now))
  } catch (error) {
    // Reload the payment columns in memory, which still contain the rolled-back changes.
    sandbox.payments.load()
    if (!(error instanceof TimerFailure)) throw error
    const { timer, cause, message } = error
    console.error(message, cause instanceof Error ? cause.stack : 'unknown')
    sandbox.timers.clear(timer.kind, timer.target)
    return true
  }
}

/**
 * Runs all due timers, also those that a handler sets while it runs. A clock jump of days therefore
 * has the same result as days of real time. A timer whose kind has no handler is deleted.
 */
export function runTimers(sandbox: Sandbox): void {
  const now = sandbox.clock.now()
  if (sandbox.timers.due(now, 1).length === 0) return
  let hasMore = true
  while (hasMore) hasMore = runTimerBatchSafely(sandbox, now)
}
