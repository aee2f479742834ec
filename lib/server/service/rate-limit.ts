import 'server-only'
import { sql } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import type { RateBudget } from '@/lib/operations/service-check'
import type { Caller, Priority } from '@/lib/server/auth/scoped-account'
import { env } from '@/lib/server/config/env'
import { shared } from '@/lib/server/shared'
import { personReads } from '@/lib/server/store/quota-schema'
import { database, store } from '@/lib/server/store/store'
import { type Calls, type Taken, takeCalls } from './budget'

/** Calls a process was given for a person, until the minute ends by the clock of `performance`. `spent`: the store has no more of them. */
type Lease = { left: number; spent: boolean; endsAt: number }

const leases = shared('leases', () => new Map<string, Lease>())
const asking = shared('asked leases', () => new Map<string, Promise<void>>())
const keptAtMost = 5000

/** A thirtieth of the minute's calls at once: a page does not ask the store for each of its calls, and little is lost to an instance that ends. */
const leaseSize = (quota: number) => Math.ceil(quota / 30)

type Granted = { calls: number; milliseconds: number }

/**
 * Takes up to `calls` of what is left of a person's `quota` in this minute, by the store's clock, over all instances. Throws what the store throws.
 */
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

/** Fills a lease up; those who ask meanwhile wait for the same answer. */
function refill(person: string): Promise<void> {
  const running = asking.get(person)
  if (running) return running
  const { readsPerMinute } = env().quotas
  const asked = takeReads(person, readsPerMinute, leaseSize(readsPerMinute))
    .then(({ calls, milliseconds }) =>
      keep(person, { left: calls, spent: calls === 0, endsAt: performance.now() + Math.max(milliseconds, 1) }),
    )
    .finally(() => asking.delete(person))
  asking.set(person, asked)
  return asked
}

/** Spends one call of a lease: 0, or the seconds until there are more where the minute's are spent; null where the store is to be asked. */
function spend(lease: Lease | undefined): number | null {
  const remaining = (lease?.endsAt ?? 0) - performance.now()
  if (!lease || remaining <= 0) return null
  if (lease.spent) return Math.ceil(remaining / 1000)
  if (lease.left === 0) return null
  lease.left -= 1
  return 0
}

/**
 * Counts one call that is made for a person. Gives 0 where it may be made, else the whole seconds until the next minute begins. A refusal is
 * remembered until then, so that asking again costs nothing. Throws what the store throws.
 */
async function countRead(person: string): Promise<number> {
  for (;;) {
    const seconds = spend(leases.get(person))
    if (seconds !== null) return seconds
    await refill(person)
  }
}

/** Why a call may not be made, and the whole seconds after which it is worth another try. */
type Refused = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/** How long a call waits for room (milliseconds): what nobody waits for does not. */
const timeoutMs: Calls = { write: 5000, read: 2000, background: 0 }
/** While there is no room the store is asked again this often (milliseconds): room is counted in tenths of a second. */
const askEvery = 100
/** Calls of one process that may wait; beyond that the wait would be in vain. */
const mostWaiting = 500

const order = ['write', 'read', 'background'] as const satisfies readonly Priority[]

type Waiter = { until: number; signal: AbortSignal | undefined; end: (word: Refused | null) => void }

/** The calls of one process that wait for room in one environment. Those that come together take their room in one statement. */
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
    // Whatever asks in the same turn of the loop is asked for together.
    await Promise.resolve()
    while (this.#length() > 0) {
      const short = await this.#round()
      if (short) await this.#pause()
    }
    this.#running = false
  }

  /** Asks once for all that wait; true where there was not room for each of them. */
  async #round(): Promise<boolean> {
    for (const priority of order) this.#dismiss(priority, ({ signal }) => signal?.aborted === true, { fault: 'over_budget', seconds: 1 })
    // Who comes while the store is asked has not been asked for, and takes the next round.
    const asked = { write: [...this.#waiting.write], read: [...this.#waiting.read], background: [...this.#waiting.background] }
    const wanted: Calls = { write: asked.write.length, read: asked.read.length, background: asked.background.length }
    const taken = await takeCalls(this.#environment, limitOf(this.#environment) ?? 0, wanted).catch(() => null)
    for (const priority of order) {
      const admitted = new Set(asked[priority].splice(0, taken?.calls[priority] ?? 0))
      this.#dismiss(priority, (waiter) => admitted.has(waiter), null)
      const late = new Set(asked[priority].filter(({ until }) => !taken || until <= performance.now()))
      this.#dismiss(priority, (waiter) => late.has(waiter), taken ? this.#later(taken) : { fault: 'budget_unknown', seconds: 5 })
    }
    return order.some((priority) => asked[priority].length > 0)
  }

  #dismiss(priority: Priority, which: (waiter: Waiter) => boolean, word: Refused | null): void {
    const going = this.#waiting[priority].filter(which)
    this.#waiting[priority] = this.#waiting[priority].filter((waiter) => !which(waiter))
    for (const waiter of going) waiter.end(word)
  }

  #later({ allowed, pausedSeconds }: Taken): Refused {
    return { fault: 'over_budget', seconds: Math.max(1, pausedSeconds, Math.ceil(this.#length() / allowed)) }
  }

  /** A write does not wait for the next round. */
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

/** The time of the last call for a write, by the clock of `performance`. */
const lastWrite = shared('last write', () => ({ at: Number.NEGATIVE_INFINITY }))

/** So long after a call for a write somebody still waits for what becomes of it, and so long what nobody waits for stands back at most (milliseconds). */
const writing = { lasts: 300, longest: 1000 }

/**
 * Waits while a write of this process is under way, a second at most. The embedded store does one thing at a time: a release that asks it twenty times would wait
 * each time for the rows that an import keeps meanwhile.
 */
export async function behindWrites(): Promise<void> {
  if (!(await store()).alone) return
  const until = performance.now() + writing.longest
  for (;;) {
    const now = performance.now()
    const left = Math.min(lastWrite.at + writing.lasts, until) - now
    if (left <= 0) return
    await new Promise((resolve) => setTimeout(resolve, left))
  }
}

const queueOf = (environment: Environment): Queue => shared(`queue to ${environment}`, () => new Queue(environment))

const limitOf = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * Asks for leave to make one call: of the person's quota, then of the budget all instances share, where the environment has a limit. Waits a moment
 * for room, writes in front of reads. Null is leave. Where the store cannot be asked there is none: nobody could say how much was sent. Never throws.
 */
export async function admit(environment: Environment, { person, priority }: Caller, signal?: AbortSignal): Promise<Refused | null> {
  if (priority === 'write') lastWrite.at = performance.now()
  const seconds = person === null ? 0 : await countRead(person).catch(() => null)
  if (seconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (seconds > 0) return { fault: 'over_quota', seconds }
  return limitOf(environment) === null ? null : queueOf(environment).wait(priority, signal)
}

/** How much of an environment's limit is in use, and what waits for room in this process. Takes nothing. Throws what the store throws. */
export async function readBudget(environment: Environment): Promise<RateBudget> {
  const limit = limitOf(environment)
  const nothing: Calls = { write: 0, read: 0, background: 0 }
  const { allowed, used, refusedAt, pausedSeconds } = await takeCalls(environment, limit ?? 0, nothing)
  const { waiting } = queueOf(environment)
  return { limit, allowed, used, waiting, refused_at: refusedAt?.toISOString() ?? null, paused_seconds: pausedSeconds }
}
