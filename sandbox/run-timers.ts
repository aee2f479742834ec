import { finishVerification } from '@/sandbox/customers/verify-identity'
import { moveFundingEvent } from '@/sandbox/funding/funding-event-moves'
import { collectFunding } from '@/sandbox/funding/make-funding-event'
import { readBalance } from '@/sandbox/paykeys/read-balance'
import { verifyPaykey } from '@/sandbox/paykeys/verify-paykey'
import { movePayment } from '@/sandbox/payments/payment-moves'
import { blockBankAccount } from '@/sandbox/payments/payment-rights'
import type { Timer } from '@/sandbox/store/clock'
import type { Sandbox } from './sandbox'

/** Handles a due timer. `at` is its due time, so that stored times are correct after a clock jump. */
type TimerHandler = (sandbox: Sandbox, target: string, at: number) => void

const timerHandlers: Readonly<Record<string, TimerHandler>> = {
  payment: movePayment,
  funding: collectFunding,
  funding_event: moveFundingEvent,
  customer: finishVerification,
  bank_account_block: blockBankAccount,
  paykey_verification: verifyPaykey,
  paykey_balance: readBalance,
}

const batch = 200

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

/** Runs up to `batch` due timers. Returns false if none are left. */
function runBatch(sandbox: Sandbox, now: number): boolean {
  for (let done = 0; done < batch; done++) {
    // Read one timer at a time: a handler may set another one that is due before the next.
    const [next] = sandbox.timers.due(now, 1)
    if (!next) return false
    // Clear the timer before its handler runs, because the handler may set it again.
    sandbox.timers.clear(next.kind, next.target)
    runTimer(sandbox, next)
  }
  return true
}

/**
 * Runs a batch of due timers and returns true if there may be more. If a timer fails, rolls back the batch, logs the timer and drops it, so
 * that it cannot block the others.
 */
function tryBatch(sandbox: Sandbox, now: number): boolean {
  try {
    return sandbox.store.transaction(() => runBatch(sandbox, now))
  } catch (error) {
    // Reload the columns in memory, which contain changes of the rolled-back transaction.
    sandbox.payments.load()
    if (!(error instanceof TimerFailure)) throw error
    const { timer, cause, message } = error
    console.error(message, cause instanceof Error ? cause.stack : 'unknown')
    sandbox.timers.clear(timer.kind, timer.target)
    return true
  }
}

/**
 * Runs all timers that are due on the sandbox's clock, in order of time, one transaction per batch. Includes timers that handlers set in
 * the past, so that a jump of days has the same result as real time. Drops timers without a handler.
 */
export function runTimers(sandbox: Sandbox): void {
  const now = sandbox.clock.now()
  if (sandbox.timers.due(now, 1).length === 0) return
  let hasMore = true
  while (hasMore) hasMore = tryBatch(sandbox, now)
}
