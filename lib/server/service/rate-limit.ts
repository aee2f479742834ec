import 'server-only'
import type { Environment } from '@/lib/operations/define'
import type { RateBudget } from '@/lib/operations/service-check'
import type { Caller, CallPriority } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { getSharedValue } from '@/lib/server/shared'
import { getStore } from '@/lib/server/store/store'
import { type BudgetResult, type CallCounts, takeCallsFromBudget } from './budget'
import { consumeReadQuota } from './read-quota'

/** The reason why a call may not be sent, and the seconds until a retry makes sense. */
type CallRefusal = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/** Maximum wait for room in the rate limit. Background calls do not wait. */
const timeoutMsByPriority: CallCounts = { write: 5000, read: 2000, background: 0 }
/** The database counts calls per 100 ms, so an earlier query would find no new room. */
const pollIntervalMs = 100
/** Maximum number of calls in a queue. Further ones would time out anyway. */
const maxWaitingCalls = 500

const priorityOrder = ['write', 'read', 'background'] as const satisfies readonly CallPriority[]

type WaitingCall = {
  until: number
  signal: AbortSignal | undefined
  end: (word: CallRefusal | null) => void
}

/** Calls that wait for the rate limit of one environment. One SQL statement serves them all. */
class CallQueue {
  readonly #environment: Environment
  readonly #waiting: Record<CallPriority, WaitingCall[]> = { write: [], read: [], background: [] }
  #running = false
  #wake = () => {}

  constructor(environment: Environment) {
    this.#environment = environment
  }

  wait(priority: CallPriority, signal: AbortSignal | undefined): Promise<CallRefusal | null> {
    if (this.#length() >= maxWaitingCalls)
      return Promise.resolve({ fault: 'over_budget', seconds: 1 })
    return new Promise((end) => {
      this.#waiting[priority].push({
        until: performance.now() + timeoutMsByPriority[priority],
        signal,
        end,
      })
      if (priority === 'write') this.#wake()
      void this.#run()
    })
  }

  get waiting(): CallCounts {
    const { write, read, background } = this.#waiting
    return { write: write.length, read: read.length, background: background.length }
  }

  #length(): number {
    return priorityOrder.reduce((sum, priority) => sum + this.#waiting[priority].length, 0)
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    // Lets calls that begin in the same event loop turn share one query.
    await Promise.resolve()
    while (this.#length() > 0) {
      const areCallsLeftWaiting = await this.#round()
      if (areCallsLeftWaiting) await this.#pause()
    }
    this.#running = false
  }

  /** Takes room for all waiting calls in one query. Returns true if some calls got no room. */
  async #round(): Promise<boolean> {
    for (const priority of priorityOrder)
      this.#dismiss(priority, ({ signal }) => signal?.aborted === true, {
        fault: 'over_budget',
        seconds: 1,
      })
    // Copies the queues: a call that is added during the query waits for the next round.
    const waitingCalls = {
      write: [...this.#waiting.write],
      read: [...this.#waiting.read],
      background: [...this.#waiting.background],
    }
    const callCounts: CallCounts = {
      write: waitingCalls.write.length,
      read: waitingCalls.read.length,
      background: waitingCalls.background.length,
    }
    const budgetResult = await takeCallsFromBudget(
      this.#environment,
      readRateLimit(this.#environment) ?? 0,
      callCounts,
    ).catch(() => null)
    for (const priority of priorityOrder) {
      const admittedCalls = new Set(
        waitingCalls[priority].splice(0, budgetResult?.calls[priority] ?? 0),
      )
      this.#dismiss(priority, (waiter) => admittedCalls.has(waiter), null)
      const expiredCalls = new Set(
        waitingCalls[priority].filter(({ until }) => !budgetResult || until <= performance.now()),
      )
      this.#dismiss(
        priority,
        (waiter) => expiredCalls.has(waiter),
        budgetResult ? this.#later(budgetResult) : { fault: 'budget_unknown', seconds: 5 },
      )
    }
    return priorityOrder.some((priority) => waitingCalls[priority].length > 0)
  }

  #dismiss(
    priority: CallPriority,
    isDismissed: (waiter: WaitingCall) => boolean,
    refusal: CallRefusal | null,
  ): void {
    const dismissedCalls = this.#waiting[priority].filter(isDismissed)
    this.#waiting[priority] = this.#waiting[priority].filter((waiter) => !isDismissed(waiter))
    for (const waiter of dismissedCalls) waiter.end(refusal)
  }

  #later({ allowed, pausedSeconds }: BudgetResult): CallRefusal {
    return {
      fault: 'over_budget',
      seconds: Math.max(1, pausedSeconds, Math.ceil(this.#length() / allowed)),
    }
  }

  /** Waits before the next round. A new write ends the wait early. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollIntervalMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Time of the last call of a write, on the clock of `performance.now()`. */
const lastWrite = getSharedValue('last write', () => ({ at: Number.NEGATIVE_INFINITY }))

/**
 * A write counts as in progress for `lasts` milliseconds after its last call. Background work waits
 * at most `longest` milliseconds for it.
 */
const writeWindowMs = { lasts: 300, longest: 1000 }

/**
 * Background work calls this before it stores rows. The embedded database runs one statement at a
 * time, so the queries of a write would wait for those of the background work.
 */
export async function waitForRecentWrites(): Promise<void> {
  if (!(await getStore()).alone) return
  const deadline = performance.now() + writeWindowMs.longest
  for (;;) {
    const now = performance.now()
    const waitMs = Math.min(lastWrite.at + writeWindowMs.lasts, deadline) - now
    if (waitMs <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

const getCallQueue = (environment: Environment): CallQueue =>
  getSharedValue(`queue to ${environment}`, () => new CallQueue(environment))

const readRateLimit = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * First checks the person's quota, then the environment's rate limit; all instances share both.
 * Waits up to five seconds for room in the rate limit; writes go first. Refuses the call if the
 * database cannot be queried, because the number of calls is then unknown. Never throws.
 */
export async function admitCall(
  environment: Environment,
  { person, priority }: Caller,
  signal?: AbortSignal,
): Promise<CallRefusal | null> {
  if (priority === 'write') lastWrite.at = performance.now()
  const quotaWaitSeconds = person === null ? 0 : await consumeReadQuota(person).catch(() => null)
  if (quotaWaitSeconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (quotaWaitSeconds > 0) return { fault: 'over_quota', seconds: quotaWaitSeconds }
  return readRateLimit(environment) === null
    ? null
    : getCallQueue(environment).wait(priority, signal)
}

/**
 * Returns the state of the rate limit. `waiting` counts only the calls that wait in this process;
 * the other numbers are those of all instances.
 */
export async function readBudget(environment: Environment): Promise<RateBudget> {
  const limit = readRateLimit(environment)
  const noCalls: CallCounts = { write: 0, read: 0, background: 0 }
  const { allowed, used, refusedAt, pausedSeconds } = await takeCallsFromBudget(
    environment,
    limit ?? 0,
    noCalls,
  )
  const { waiting } = getCallQueue(environment)
  return {
    limit,
    allowed,
    used,
    waiting,
    refused_at: refusedAt?.toISOString() ?? null,
    paused_seconds: pausedSeconds,
  }
}
