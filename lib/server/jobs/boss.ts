import 'server-only'
import type PgBoss from 'pg-boss'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { store } from '@/lib/server/store/store'

/** A job that runs longer was cut off with its process; another takes it up (seconds). */
const expireInSeconds = 90
/** How often such jobs are looked for, and done ones deleted (seconds). */
const maintenanceIntervalSeconds = 60
/** How often a queue is looked into for what another instance put there (seconds). On the embedded store every request waits for a statement. */
const pollingIntervalSeconds = 10

/** Where done jobs go after five minutes, to be gone after an hour: nobody reads them. */
const kept = { archiveCompletedAfterSeconds: 300, deleteAfterHours: 1 }

async function begin(): Promise<PgBoss> {
  const { run, alone } = await store()
  const { default: Boss } = await import('pg-boss')
  const boss = new Boss({ db: { executeSql: run }, schedule: false, maintenanceIntervalSeconds, ...kept })
  boss.on('error', (error) => log.warn({ event: 'jobs.failed', code: errorCode(error) }))
  await boss.start()
  // Whoever ran them had this store alone, and is gone.
  if (alone) await run("update pgboss.job set state = 'failed' where state = 'active'", [])
  return boss
}

/** Work of one name, of which one at a time runs over all instances. `signal` ends it with the process. */
type Queue = { name: string; everySeconds: number; run: (signal: AbortSignal) => Promise<'done' | 'more'> }

/** `signal` ends the work; `underWay` has what of it has not ended yet. */
type Offering = { signal: AbortSignal; underWay: Set<Promise<void>> }

async function offer(boss: PgBoss, { name, everySeconds, run }: Queue, { signal, underWay }: Offering): Promise<void> {
  if (!(await boss.getQueue(name))) await boss.createQueue(name, { name, policy: 'stately', retryLimit: 0, expireInSeconds })
  const worker = await boss.work(name, { pollingIntervalSeconds }, () => {
    const work = run(signal).then(async (left) => {
      if (left === 'more' && !signal.aborted) await ask()
    })
    const over = () => void underWay.delete(settled)
    const settled = work.then(over, over)
    underWay.add(settled)
    return work
  })
  const ask = async (throttle: { singletonSeconds?: number } = {}) => {
    if (await boss.send(name, {}, throttle)) boss.notifyWorker(worker)
  }
  // Each instance asks; of one stretch of time one job is taken.
  const askInTurn = () =>
    void ask({ singletonSeconds: everySeconds }).catch((error: unknown) => log.warn({ event: 'jobs.not_sent', code: errorCode(error) }))
  const timer = setInterval(askInTurn, everySeconds * 1000)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  await ask()
}

/** PostgreSQL's code for what a role may not do. */
const forbidden = '42501'

async function start(queues: readonly Queue[], offering: Offering): Promise<PgBoss | null> {
  try {
    const boss = await begin()
    for (const queue of queues) await offer(boss, queue, offering)
    return boss
  } catch (error) {
    const code = errorCode(error)
    log.error({ event: code === forbidden ? 'jobs.role_may_not_create_schema' : 'jobs.not_started', code })
    return null
  }
}

/**
 * Begins to run work in the background, `delay` milliseconds from now: to set up the tables of the jobs takes a moment that no first request should wait
 * for. Where the database role may not create a schema there are no jobs, and the log says so. `stop` is done when no work is under way any more.
 */
export function startQueues(queues: readonly Queue[], delay: number): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  let running: Promise<PgBoss | null> = Promise.resolve(null)
  const timer = setTimeout(() => {
    running = start(queues, { signal: stopping.signal, underWay })
  }, delay)
  timer.unref()
  return {
    stop: async () => {
      clearTimeout(timer)
      stopping.abort()
      await running
        .then((boss) => boss?.stop({ graceful: false }))
        .catch((error: unknown) => log.warn({ event: 'jobs.not_stopped', code: errorCode(error) }))
      await Promise.all(underWay)
    },
  }
}
