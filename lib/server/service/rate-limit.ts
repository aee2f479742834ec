import 'server-only'
import { sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { RateBudget } from '@/lib/operations/service-check'
import type { Caller, Priority } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { shared } from '@/lib/server/shared'
import { personReads } from '@/lib/server/store/schema/audit'
import { database, store } from '@/lib/server/store/store'
import { type Calls, type Taken, takeCalls } from './budget'

/** Calls granted to this process for a person, until `endsAt` (`performance.now()`). `spent`: the store has no more for this minute. */
type Lease = { left: number; spent: boolean; endsAt: number }

const leases = shared('leases', () => new Map<string, Lease>())
const leaseRequests = shared('lease requests', () => new Map<string, Promise<void>>())
const keptAtMost = 5000

/** A lease is a thirtieth of the calls per minute: few queries for a page, and little is lost when an instance ends. */
const leaseSize = (quota: number) => Math.ceil(quota / 30)

type Granted = { calls: number; milliseconds: number }

/** Takes up to `calls` of a person's `quota` for this minute, by the store's clock, for all instances. Throws the errors of the store. */
export async function takeReads(person: string, quota: number, calls: number): Promise<Granted> {
  const first = Math.min(calls, quota)
  const db = await database()
  const { minute, reads, granted } = personReads
  const sameMinute = sql`${minute} = excluded.minute`
  const more = sql`greatest(0, least(${calls}, ${quota} - ${reads}))`
  const [row] = await db
    .insert(personReads)
    .values({ personId: person, minute: sql`date_trunc('minute', clock_timestamp())`, reads: first, granted: first })
    .onConflictDoUpdate({
      target: personReads.personId,
      set: {
        granted: sql`case when ${sameMinute} then ${more} else excluded.granted end`,
        reads: sql`case when ${sameMinute} then ${reads} + ${more} else excluded.reads end`,
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

function keep(person: string, lease: Lease): void {
  leases.delete(person)
  leases.set(person, lease)
  const oldest = leases.size > keptAtMost ? leases.keys().next().value : undefined
  if (oldest !== undefined) leases.delete(oldest)
}

/** Refills a lease. Concurrent callers share one query. */
function refill(person: string): Promise<void> {
  const running = leaseRequests.get(person)
  if (running) return running
  const { readsPerMinute } = env().quotas
  const leaseRequest = takeReads(person, readsPerMinute, leaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      keep(person, { left: calls, spent: calls === 0, endsAt: performance.now() + Math.max(milliseconds, 1) }),
    )
    .finally(() => leaseRequests.delete(person))
  leaseRequests.set(person, leaseRequest)
  return leaseRequest
}

/** Spends one call of a lease. Returns 0, or the seconds until the next minute if none is left; null if the lease needs a refill. */
function spend(lease: Lease | undefined): number | null {
  const remaining = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remaining <= 0) return null
  if (lease.spent) return Math.ceil(remaining / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Counts one call of a person. Returns 0 if it may be made, else the whole seconds until the next minute. A refusal is remembered until
 * then, so that a retry costs no query. Throws the errors of the store.
 */
async function countRead(person: string): Promise<number> {
  for (;;) {
    const seconds = spend(leases.get(person))
    if (seconds !== null) return seconds
    await refill(person)
  }
}

/** Reason why a call may not be made, and the whole seconds until a retry makes sense. */
type Refused = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/** Time that a call waits for room (milliseconds). Background calls do not wait. */
const timeoutMs: Calls = { write: 5000, read: 2000, background: 0 }
/** Interval between queries while there is no room (milliseconds): room is counted in tenths of a second. */
const askEvery = 100
/** Maximum number of calls in a queue; more would wait in vain. */
const mostWaiting = 500

const order = ['write', 'read', 'background'] as const satisfies readonly Priority[]

type Waiter = { until: number; signal: AbortSignal | undefined; end: (word: Refused | null) => void }

/** The calls of this process that wait for room in one environment. Concurrent calls take their room in one statement. */
class Queue {
  readonly #environment: Environment
  readonly #waiting: Record<Priority, Waiter[]> = { write: [], read: [], background: [] }
  #running = false
  #wake = () => {}

  constructor(environment: Environment) {
    this.#environment = environment
  }

  wait(priority: Priority, signal: AbortSignal | undefined): Promise<Refused | null> {
    if (this.#length() >= mostWaiting) return Promise.resolve({ fault: 'over_budget', seconds: 1 })
    return new Promise((end) => {
      this.#waiting[priority].push({ until: performance.now() + timeoutMs[priority], signal, end })
      if (priority === 'write') this.#wake()
      void this.#run()
    })
  }

  get waiting(): Calls {
    const { write, read, background } = this.#waiting
    return { write: write.length, read: read.length, background: background.length }
  }

  #length(): number {
    return order.reduce((sum, priority) => sum + this.#waiting[priority].length, 0)
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    // Collect the other calls of this event loop turn first.
    await Promise.resolve()
    while (this.#length() > 0) {
      const short = await this.#round()
      if (short) await this.#pause()
    }
    this.#running = false
  }

  /** Takes room for all waiting calls in one query. True if some got none. */
  async #round(): Promise<boolean> {
    for (const priority of order) this.#dismiss(priority, ({ signal }) => signal?.aborted === true, { fault: 'over_budget', seconds: 1 })
    // A call that arrives during the query waits for the next round.
    const waiters = { write: [...this.#waiting.write], read: [...this.#waiting.read], background: [...this.#waiting.background] }
    const callCounts: Calls = { write: waiters.write.length, read: waiters.read.length, background: waiters.background.length }
    const budgetResult = await takeCalls(this.#environment, limitOf(this.#environment) ?? 0, callCounts).catch(() => null)
    for (const priority of order) {
      const admitted = new Set(waiters[priority].splice(0, budgetResult?.calls[priority] ?? 0))
      this.#dismiss(priority, (waiter) => admitted.has(waiter), null)
      const expiredWaiters = new Set(waiters[priority].filter(({ until }) => !budgetResult || until <= performance.now()))
      this.#dismiss(
        priority,
        (waiter) => expiredWaiters.has(waiter),
        budgetResult ? this.#later(budgetResult) : { fault: 'budget_unknown', seconds: 5 },
      )
    }
    return order.some((priority) => waiters[priority].length > 0)
  }

  #dismiss(priority: Priority, which: (waiter: Waiter) => boolean, word: Refused | null): void {
    const going = this.#waiting[priority].filter(which)
    this.#waiting[priority] = this.#waiting[priority].filter((waiter) => !which(waiter))
    for (const waiter of going) waiter.end(word)
  }

  #later({ allowed, pausedSeconds }: Taken): Refused {
    return { fault: 'over_budget', seconds: Math.max(1, pausedSeconds, Math.ceil(this.#length() / allowed)) }
  }

  /** Waits before the next round. A new write ends the wait. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, askEvery)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Time of the last call for a write (`performance.now()`). */
const lastWrite = shared('last write', () => ({ at: Number.NEGATIVE_INFINITY }))

/** Time after a call for a write in which its result is awaited, and maximum delay of background work (milliseconds). */
const writing = { lasts: 300, longest: 1000 }

/**
 * Waits while a write of this process is in progress, a second at most. The embedded store runs one statement at a time: each query of a
 * release would wait for the rows that an import stores.
 */
export async function behindWrites(): Promise<void> {
  if (!(await store()).alone) return
  const until = performance.now() + writing.longest
  for (;;) {
    const now = performance.now()
    const waitTime = Math.min(lastWrite.at + writing.lasts, until) - now
    if (waitTime <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitTime))
  }
}

const queueOf = (environment: Environment): Queue => shared(`queue to ${environment}`, () => new Queue(environment))

const limitOf = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * Admits one call: by the person's quota, then by the budget that all instances share, if the environment has a limit. Waits a moment for
 * room, writes before reads. Returns null if the call is admitted. Refuses if the store cannot be queried, because the number of sent calls
 * is unknown then. Never throws.
 */
export async function admit(environment: Environment, { person, priority }: Caller, signal?: AbortSignal): Promise<Refused | null> {
  if (priority === 'write') lastWrite.at = performance.now()
  const seconds = person === null ? 0 : await countRead(person).catch(() => null)
  if (seconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (seconds > 0) return { fault: 'over_quota', seconds }
  return limitOf(environment) === null ? null : queueOf(environment).wait(priority, signal)
}

/** Returns the used part of an environment's limit, and its waiting calls in this process. Takes no calls. Throws the store's errors. */
export async function readBudget(environment: Environment): Promise<RateBudget> {
  const limit = limitOf(environment)
  const nothing: Calls = { write: 0, read: 0, background: 0 }
  const { allowed, used, refusedAt, pausedSeconds } = await takeCalls(environment, limit ?? 0, nothing)
  const { waiting } = queueOf(environment)
  return { limit, allowed, used, waiting, refused_at: refusedAt?.toISOString() ?? null, paused_seconds: pausedSeconds }
}
