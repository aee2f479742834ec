import 'server-only'
import { sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { RateBudget } from '@/lib/operations/service-check'
import type { Caller, CallPriority } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { getSharedValue } from '@/lib/server/shared'
import { personReads } from '@/lib/server/store/schema/audit'
import { getDatabase, getStore } from '@/lib/server/store/store'
import { type BudgetResult, type CallCounts, takeCalls } from './budget'

/**
 * Calls to the service that the database granted to this process for one person. `left` of them are
 * unused. They expire at `endsAt` (on the clock of `performance.now()`). `spent` is true if the
 * person's quota for this minute is used up.
 */
type CallLease = { left: number; spent: boolean; endsAt: number }

const leaseByPersonId = getSharedValue('leases', () => new Map<string, CallLease>())
const leaseRequestByPersonId = getSharedValue(
  'lease requests',
  () => new Map<string, Promise<void>>(),
)
const maxLeases = 5000

/**
 * Returns the number of calls in a lease: a thirtieth of the person's quota per minute. With leases
 * of this size, one page of Paydesk needs few database queries, and an instance that stops leaves
 * few granted calls unused.
 */
const getLeaseSize = (quota: number) => Math.ceil(quota / 30)

type GrantedReads = { calls: number; milliseconds: number }

/**
 * Takes calls from a person's quota per minute, which all instances share: the requested number, or
 * fewer if less is left. Returns the number of calls taken, and the milliseconds until the next
 * minute of the database clock. Throws database errors.
 */
export async function grantReads(
  personId: string,
  quota: number,
  requestedCalls: number,
): Promise<GrantedReads> {
  const firstCalls = Math.min(requestedCalls, quota)
  const db = await getDatabase()
  const { minute, reads, granted } = personReads
  const isSameMinute = sql`${minute} = excluded.minute`
  const addedCalls = sql`greatest(0, least(${requestedCalls}, ${quota} - ${reads}))`
  const [row] = await db
    .insert(personReads)
    .values({
      personId: personId,
      minute: sql`date_trunc('minute', clock_timestamp())`,
      reads: firstCalls,
      granted: firstCalls,
    })
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

function storeLease(personId: string, lease: CallLease): void {
  leaseByPersonId.delete(personId)
  leaseByPersonId.set(personId, lease)
  const oldest = leaseByPersonId.size > maxLeases ? leaseByPersonId.keys().next().value : undefined
  if (oldest !== undefined) leaseByPersonId.delete(oldest)
}

/** Gets a new lease for a person from the database. Parallel callers share one query. */
function refillLease(personId: string): Promise<void> {
  const pendingRequest = leaseRequestByPersonId.get(personId)
  if (pendingRequest) return pendingRequest
  const { readsPerMinute } = env().quotas
  const leaseRequest = grantReads(personId, readsPerMinute, getLeaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      storeLease(personId, {
        left: calls,
        spent: calls === 0,
        endsAt: performance.now() + Math.max(milliseconds, 1),
      }),
    )
    .finally(() => leaseRequestByPersonId.delete(personId))
  leaseRequestByPersonId.set(personId, leaseRequest)
  return leaseRequest
}

/**
 * Uses one call of a lease. Returns 0 if the call may be sent, or the seconds until the next minute
 * if the quota is used up. Returns null if a new lease is needed.
 */
function spendLeasedCall(lease: CallLease | undefined): number | null {
  const remainingMs = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remainingMs <= 0) return null
  if (lease.spent) return Math.ceil(remainingMs / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Counts one call of a person. Returns 0 if the call may be sent, otherwise the seconds until the
 * next minute, which has a new quota. Until then the lease stores the refusal, so that further
 * calls need no query. Throws database errors.
 */
async function consumeReadQuota(personId: string): Promise<number> {
  for (;;) {
    const secondsToWait = spendLeasedCall(leaseByPersonId.get(personId))
    if (secondsToWait !== null) return secondsToWait
    await refillLease(personId)
  }
}

/** The reason why a call may not be sent, and the seconds until a retry makes sense. */
type CallRefusal = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/**
 * Maximum time that a call waits for room in the rate limit (milliseconds). Background calls do not
 * wait.
 */
const timeoutMsByPriority: CallCounts = { write: 5000, read: 2000, background: 0 }
/**
 * Milliseconds between two queries while calls wait. The database counts calls per 100 ms, so an
 * earlier query would find no new room.
 */
const pollIntervalMs = 100
/** Maximum number of calls in a queue. Further ones would time out anyway. */
const maxWaitingCalls = 500

const priorityOrder = ['write', 'read', 'background'] as const satisfies readonly CallPriority[]

type WaitingCall = {
  until: number
  signal: AbortSignal | undefined
  end: (word: CallRefusal | null) => void
}

/**
 * The calls of this process that wait for room in the rate limit of one environment. One SQL
 * statement takes room for all of them.
 */
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
    // Waits for the other calls that begin in the same event loop turn, so that one query serves
    // them all.
    await Promise.resolve()
    while (this.#length() > 0) {
      const isRoomMissing = await this.#round()
      if (isRoomMissing) await this.#pause()
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
    const waiters = {
      write: [...this.#waiting.write],
      read: [...this.#waiting.read],
      background: [...this.#waiting.background],
    }
    const callCounts: CallCounts = {
      write: waiters.write.length,
      read: waiters.read.length,
      background: waiters.background.length,
    }
    const budgetResult = await takeCalls(
      this.#environment,
      readRateLimit(this.#environment) ?? 0,
      callCounts,
    ).catch(() => null)
    for (const priority of priorityOrder) {
      const admittedWaiters = new Set(
        waiters[priority].splice(0, budgetResult?.calls[priority] ?? 0),
      )
      this.#dismiss(priority, (waiter) => admittedWaiters.has(waiter), null)
      const expiredWaiters = new Set(
        waiters[priority].filter(({ until }) => !budgetResult || until <= performance.now()),
      )
      this.#dismiss(
        priority,
        (waiter) => expiredWaiters.has(waiter),
        budgetResult ? this.#later(budgetResult) : { fault: 'budget_unknown', seconds: 5 },
      )
    }
    return priorityOrder.some((priority) => waiters[priority].length > 0)
  }

  #dismiss(
    priority: CallPriority,
    isDismissed: (waiter: WaitingCall) => boolean,
    refusal: CallRefusal | null,
  ): void {
    const dismissedWaiters = this.#waiting[priority].filter(isDismissed)
    this.#waiting[priority] = this.#waiting[priority].filter((waiter) => !isDismissed(waiter))
    for (const waiter of dismissedWaiters) waiter.end(refusal)
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

/**
 * Time of the last call to the service that belonged to a write (on the clock of
 * `performance.now()`).
 */
const lastWrite = getSharedValue('last write', () => ({ at: Number.NEGATIVE_INFINITY }))

/**
 * `lasts`: milliseconds for which a write counts as in progress after its last call. `longest`:
 * maximum milliseconds that background work waits for writes.
 */
const writeWindowMs = { lasts: 300, longest: 1000 }

/**
 * Waits while a write of this process is in progress, at most one second. Background work calls
 * this before it stores rows. The reason is the embedded database, which runs one statement at a
 * time: the write's own queries would have to wait for those of the background work.
 */
export async function waitForWrites(): Promise<void> {
  if (!(await getStore()).alone) return
  const deadline = performance.now() + writeWindowMs.longest
  for (;;) {
    const now = performance.now()
    const waitTime = Math.min(lastWrite.at + writeWindowMs.lasts, deadline) - now
    if (waitTime <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitTime))
  }
}

const getCallQueue = (environment: Environment): CallQueue =>
  getSharedValue(`queue to ${environment}`, () => new CallQueue(environment))

const readRateLimit = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * Checks whether one call to the service may be sent: first against the person's quota, then
 * against the environment's rate limit, if it has one. All instances share both. Waits up to five
 * seconds for room in the rate limit; writes go first. Returns null if the call may be sent,
 * otherwise the reason. Refuses the call if the database cannot be queried, because the number of
 * calls is then unknown. Never throws.
 */
export async function admitCall(
  environment: Environment,
  { person, priority }: Caller,
  signal?: AbortSignal,
): Promise<CallRefusal | null> {
  if (priority === 'write') lastWrite.at = performance.now()
  const seconds = person === null ? 0 : await consumeReadQuota(person).catch(() => null)
  if (seconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (seconds > 0) return { fault: 'over_quota', seconds }
  return readRateLimit(environment) === null
    ? null
    : getCallQueue(environment).wait(priority, signal)
}

/**
 * Returns the use of an environment's rate limit, and the number of calls of this process that wait
 * for room in it. Throws database errors.
 */
export async function readBudget(environment: Environment): Promise<RateBudget> {
  const limit = readRateLimit(environment)
  const noCalls: CallCounts = { write: 0, read: 0, background: 0 }
  const { allowed, used, refusedAt, pausedSeconds } = await takeCalls(
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
