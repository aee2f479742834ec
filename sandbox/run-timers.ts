import { reviewCustomer } from './customers/review-customer'
import { moveFundingEvent } from './funding/funding-event-moves'
import { collectFunding } from './funding/make-funding-event'
import { readBalance } from './paykeys/read-balance'
import { verifyPaykey } from './paykeys/verify-paykey'
import { blockBankAccount } from './payments/block-after-return'
import { movePayment } from './payments/move-payment'
import type { Sandbox } from './sandbox'
import type { Timer } from './store/timers'

/** What happens when a timer of each kind is due. `at` is the time it was set for, so that a clock that jumped tells no false times. */
type TimerHandler = (sandbox: Sandbox, target: string, at: number) => void

const handlers: Readonly<Record<string, TimerHandler>> = {
  payment: movePayment,
  funding: collectFunding,
  funding_event: moveFundingEvent,
  customer: reviewCustomer,
  bank_account_block: blockBankAccount,
  paykey_verification: verifyPaykey,
  paykey_balance: readBalance,
}

const batch = 200

/** A handler that threw, with the timer it was run for. */
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
    handlers[timer.kind]?.(sandbox, timer.target, timer.at)
  } catch (error) {
    throw new TimerFailure(timer, error)
  }
}

/** Does up to `batch` of what is due; false when nothing is left. */
function runBatch(sandbox: Sandbox, now: number): boolean {
  for (let done = 0; done < batch; done++) {
    // One at a time: what a handler sets may be due before what was due next.
    const [next] = sandbox.timers.due(now, 1)
    if (!next) return false
    // Cleared first: the handler may set it again.
    sandbox.timers.clear(next.kind, next.target)
    runTimer(sandbox, next)
  }
  return true
}

/** Runs a batch; a timer that fails undoes the batch, is told on stderr and dropped, so that it cannot stop all others permanently. */
function tryBatch(sandbox: Sandbox, now: number): boolean {
  try {
    return sandbox.store.transaction(() => runBatch(sandbox, now))
  } catch (error) {
    // What the columns in memory learnt in the transaction was rolled back.
    sandbox.payments.load()
    if (!(error instanceof TimerFailure)) throw error
    const { timer, cause, message } = error
    console.error(message, cause instanceof Error ? cause.stack : 'unknown')
    sandbox.timers.clear(timer.kind, timer.target)
    return true
  }
}

/**
 * Does everything that is due on the sandbox's clock in the order of its time, in transactions of many each. What a handler sets for a time
 * that has passed as well takes its place in that order, so a jump of days plays as if nobody had jumped. A kind without a handler is dropped.
 */
export function runTimers(sandbox: Sandbox): void {
  const now = sandbox.clock.now()
  if (sandbox.timers.due(now, 1).length === 0) return
  let more = true
  while (more) more = tryBatch(sandbox, now)
}
