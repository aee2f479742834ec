import 'server-only'
import { sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { RateBudget } from '@/lib/operations/service-check'
import type { Caller, CallPriority } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { shared } from '@/lib/server/shared'
import { personReads } from '@/lib/server/store/schema/audit'
import { database, store } from '@/lib/server/store/store'
import { type BudgetResult, type CallCounts, takeCalls } from './budget'

/**
 * Calls that the store granted to this process for a person, until `endsAt` (`performance.now()`). `spent` is true if the store has no more
 * for this minute.
 */
type CallLease = { left: number; spent: boolean; endsAt: number }

const leases = shared('leases', () => new Map<string, CallLease>())
const leaseRequests = shared('lease requests', () => new Map<string, Promise<void>>())
const maxLeases = 5000

/** Calls per lease: the quota per minute divided by 30. A page then needs few queries, and little is lost when an instance ends. */
const getLeaseSize = (quota: number) => Math.ceil(quota / 30)

type GrantedReads = { calls: number; milliseconds: number }

/** Takes up to `calls` of a person's `quota` for this minute, over all instances, by the database clock. Throws store errors. */
export async function takeReads(person: string, quota: number, calls: number): Promise<GrantedReads> {
  const firstCalls = Math.min(calls, quota)
  const db = await database()
  const { minute, reads, granted } = personReads
  const isSameMinute = sql`${minute} = excluded.minute`
  const addedCalls = sql`greatest(0, least(${calls}, ${quota} - ${reads}))`
  const [row] = await db
    .insert(personReads)
    .values({ personId: person, minute: sql`date_trunc('minute', clock_timestamp())`, reads: firstCalls, granted: firstCalls })
    .onConflictDoUpdate({
      target: personReads.personId,
      set: {
        granted: sql`case when ${isSameMinute} then ${addedCalls} else excluded.granted end`,
        reads: sql`case when ${isSameMinute} then ${reads} + ${addedCalls} else excluded.reads end`,
        minute: sql`excluded.minute`,
      },
    })
    .returning({
      calls: granted,
      milliseconds: sql<number>`ceil(extract(epoch from ${minute} + interval '1 minute' - clock_timestamp()) * 1000)::int`,
    })
  if (!row) throw new Error('the reads of a person were not written')
  return row
}

function storeLease(person: string, lease: CallLease): void {
  leases.delete(person)
  leases.set(person, lease)
  const oldest = leases.size > maxLeases ? leases.keys().next().value : undefined
  if (oldest !== undefined) leases.delete(oldest)
}

/** Gets a new lease for a person from the store. Parallel callers share one query. */
function refillLease(person: string): Promise<void> {
  const pendingRequest = leaseRequests.get(person)
  if (pendingRequest) return pendingRequest
  const { readsPerMinute } = env().quotas
  const leaseRequest = takeReads(person, readsPerMinute, getLeaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      storeLease(person, { left: calls, spent: calls === 0, endsAt: performance.now() + Math.max(milliseconds, 1) }),
    )
    .finally(() => leaseRequests.delete(person))
  leaseRequests.set(person, leaseRequest)
  return leaseRequest
}

/**
 * Uses one call of a lease. Returns 0 if the call may be sent, or the seconds until the next minute if the quota is used up. Returns null
 * if a new lease is needed.
 */
function spendCall(lease: CallLease | undefined): number | null {
  const remaining = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remaining <= 0) return null
  if (lease.spent) return Math.ceil(remaining / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Counts one call of a person. Returns 0 if it may be sent, otherwise the seconds until the next minute. Until then, a refusal is
 * remembered, so that further calls need no query. Throws store errors.
 */
async function countRead(person: string): Promise<number> {
  for (;;) {
    const seconds = spendCall(leases.get(person))
    if (seconds !== null) return seconds
    await refillLease(person)
  }
}

/** The reason why a call may not be sent, and the seconds until a retry makes sense. */
type CallRefusal = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/** Maximum time that a call waits for room in the rate limit (milliseconds). Background calls do not wait. */
const timeoutMsByPriority: CallCounts = { write: 5000, read: 2000, background: 0 }
/** Milliseconds between queries while there is no room. Room is counted in slots of this length. */
const pollIntervalMs = 100
/** Maximum number of calls in a queue. Further ones would time out anyway. */
const maxWaitingCalls = 500

const priorityOrder = ['write', 'read', 'background'] as const satisfies readonly CallPriority[]

type WaitingCall = { until: number; signal: AbortSignal | undefined; end: (word: CallRefusal | null) => void }

/** The calls of this process that wait for room in the rate limit of one environment. One statement takes room for all of them. */
class CallQueue {
  readonly #environment: Environment
  readonly #waiting: Record<CallPriority, WaitingCall[]> = { write: [], read: [], background: [] }
  #running = false
  #wake = () => {}

  constructor(environment: Environment) {
    this.#environment = environment
  }

  wait(priority: CallPriority, signal: AbortSignal | undefined): Promise<CallRefusal | null> {
    if (this.#length() >= maxWaitingCalls) return Promise.resolve({ fault: 'over_budget', seconds: 1 })
    return new Promise((end) => {
      this.#waiting[priority].push({ until: performance.now() + timeoutMsByPriority[priority], signal, end })
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
    // First collect the other calls of this event loop turn.
    await Promise.resolve()
    while (this.#length() > 0) {
      const isRoomMissing = await this.#round()
      if (isRoomMissing) await this.#pause()
    }
    this.#running = false
  }

  /** Takes room for all waiting calls in one query. Returns true if some got none. */
  async #round(): Promise<boolean> {
    for (const priority of priorityOrder)
      this.#dismiss(priority, ({ signal }) => signal?.aborted === true, { fault: 'over_budget', seconds: 1 })
    // A call that arrives during the query is not in this round.
    const waiters = { write: [...this.#waiting.write], read: [...this.#waiting.read], background: [...this.#waiting.background] }
    const callCounts: CallCounts = { write: waiters.write.length, read: waiters.read.length, background: waiters.background.length }
    const budgetResult = await takeCalls(this.#environment, readRateLimit(this.#environment) ?? 0, callCounts).catch(() => null)
    for (const priority of priorityOrder) {
      const admitted = new Set(waiters[priority].splice(0, budgetResult?.calls[priority] ?? 0))
      this.#dismiss(priority, (waiter) => admitted.has(waiter), null)
      const expiredWaiters = new Set(waiters[priority].filter(({ until }) => !budgetResult || until <= performance.now()))
      this.#dismiss(
        priority,
        (waiter) => expiredWaiters.has(waiter),
        budgetResult ? this.#later(budgetResult) : { fault: 'budget_unknown', seconds: 5 },
      )
    }
    return priorityOrder.some((priority) => waiters[priority].length > 0)
  }

  #dismiss(priority: CallPriority, isDismissed: (waiter: WaitingCall) => boolean, refusal: CallRefusal | null): void {
    const dismissedWaiters = this.#waiting[priority].filter(isDismissed)
    this.#waiting[priority] = this.#waiting[priority].filter((waiter) => !isDismissed(waiter))
    for (const waiter of dismissedWaiters) waiter.end(refusal)
  }

  #later({ allowed, pausedSeconds }: BudgetResult): CallRefusal {
    return { fault: 'over_budget', seconds: Math.max(1, pausedSeconds, Math.ceil(this.#length() / allowed)) }
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

/** Time of the last call that a write made (`performance.now()`). */
const lastWrite = shared('last write', () => ({ at: Number.NEGATIVE_INFINITY }))

/** Milliseconds for which a write counts as in progress after its last call, and the maximum delay of background work. */
const writeWindow = { lasts: 300, longest: 1000 }

/**
 * Waits while a write of this process is in progress, at most a second. The embedded store runs one statement at a time, so each query of a
 * write would otherwise wait for rows that an import stores.
 */
export async function waitForWrites(): Promise<void> {
  if (!(await store()).alone) return
  const deadline = performance.now() + writeWindow.longest
  for (;;) {
    const now = performance.now()
    const waitTime = Math.min(lastWrite.at + writeWindow.lasts, deadline) - now
    if (waitTime <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitTime))
  }
}

const getCallQueue = (environment: Environment): CallQueue => shared(`queue to ${environment}`, () => new CallQueue(environment))

const readRateLimit = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * Admits one call: by the person's quota, then by the budget that all instances share, if the environment has a limit. Waits a moment for
 * room, with writes before reads. Returns null if the call may be sent, otherwise the reason. Refuses if the store cannot be queried,
 * because the number of calls is unknown then. Never throws.
 */
export async function admitCall(environment: Environment, { person, priority }: Caller, signal?: AbortSignal): Promise<CallRefusal | null> {
  if (priority === 'write') lastWrite.at = performance.now()
  const seconds = person === null ? 0 : await countRead(person).catch(() => null)
  if (seconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (seconds > 0) return { fault: 'over_quota', seconds }
  return readRateLimit(environment) === null ? null : getCallQueue(environment).wait(priority, signal)
}

/** Returns how much of an environment's limit is used, and the calls of this process that wait. Takes no calls. Throws store errors. */
export async function readBudget(environment: Environment): Promise<RateBudget> {
  const limit = readRateLimit(environment)
  const noCalls: CallCounts = { write: 0, read: 0, background: 0 }
  const { allowed, used, refusedAt, pausedSeconds } = await takeCalls(environment, limit ?? 0, noCalls)
  const { waiting } = getCallQueue(environment)
  return { limit, allowed, used, waiting, refused_at: refusedAt?.toISOString() ?? null, paused_seconds: pausedSeconds }
}
