import 'server-only'
import type { Environment } from '@/lib/operations/define'
import { env } from '@/lib/server/env'
import type { Caller, Priority } from '@/lib/server/scoped-account'
import { type Calls, type Taken, takeCalls } from './budget'
import { countRead } from './person-reads'

/** Why a call may not be made, and the whole seconds after which it is worth another try. */
export type Refused = { fault: 'over_budget' | 'over_quota' | 'budget_unknown'; seconds: number }

/** How long a call waits for room (milliseconds): what nobody waits for does not. */
const patience: Calls = { write: 5000, read: 2000, background: 0 }
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
      this.#waiting[priority].push({ until: performance.now() + patience[priority], signal, end })
      if (priority === 'write') this.#wake()
      void this.#run()
    })
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

type Shared = typeof globalThis & { paydeskQueues?: Map<Environment, Queue> }
const shared = globalThis as Shared

function queueOf(environment: Environment): Queue {
  shared.paydeskQueues ??= new Map()
  const known = shared.paydeskQueues.get(environment)
  if (known) return known
  const queue = new Queue(environment)
  shared.paydeskQueues.set(environment, queue)
  return queue
}

const limitOf = (environment: Environment): number | null => env().rateLimits[environment]

/**
 * Asks for leave to make one call: of the person's quota, then of the budget all instances share, where the environment has a limit. Waits a moment
 * for room, writes in front of reads. Null is leave. Where the store cannot be asked there is none: nobody could say how much was sent. Never throws.
 */
export async function admit(environment: Environment, { person, priority }: Caller, signal?: AbortSignal): Promise<Refused | null> {
  const seconds = person === null ? 0 : await countRead(person).catch(() => null)
  if (seconds === null) return { fault: 'budget_unknown', seconds: 5 }
  if (seconds > 0) return { fault: 'over_quota', seconds }
  return limitOf(environment) === null ? null : queueOf(environment).wait(priority, signal)
}
