import 'server-only'
import type PgBoss from 'pg-boss'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { getStore } from './store'

/** After this time, a running job counts as interrupted, and another instance can run it. */
const jobExpireSeconds = 90
const maintenanceIntervalSeconds = 60
/**
 * How often an instance looks for jobs of other instances. It is rare, because requests wait while
 * the embedded database runs such a query.
 */
const pollingIntervalSeconds = 10

const jobRetention = { archiveCompletedAfterSeconds: 300, deleteAfterHours: 1 }

async function startPgBoss(): Promise<PgBoss> {
  const { run, alone } = await getStore()
  const { default: Boss } = await import('pg-boss')
  const boss = new Boss({
    db: { executeSql: run },
    schedule: false,
    maintenanceIntervalSeconds,
    ...jobRetention,
  })
  boss.on('error', (error) => log.warn({ event: 'jobs.failed', code: getErrorCode(error) }))
  await boss.start()
  // Only one process uses this store, so active jobs belong to an earlier process that has ended.
  if (alone) await run("update pgboss.job set state = 'failed' where state = 'active'", [])
  return boss
}

/**
 * All instances together run one job at a time. If `run` returns `more`, the next job starts at
 * once. `signal` aborts when the process stops.
 */
type JobQueue = {
  name: string
  everySeconds: number
  run: (signal: AbortSignal) => Promise<'done' | 'more'>
}

/** `underWay` has a promise for each running job, which resolves when the job has ended. */
type JobContext = { signal: AbortSignal; underWay: Set<Promise<void>> }

async function startQueue(
  boss: PgBoss,
  { name, everySeconds, run }: JobQueue,
  { signal, underWay }: JobContext,
): Promise<void> {
  if (!(await boss.getQueue(name)))
    await boss.createQueue(name, {
      name,
      policy: 'stately',
      retryLimit: 0,
      expireInSeconds: jobExpireSeconds,
    })
  const worker = await boss.work(name, { pollingIntervalSeconds }, () => {
    const jobRun = run(signal).then(async (left) => {
      if (left === 'more' && !signal.aborted) await sendJob()
    })
    const removeJob = () => void underWay.delete(settledRun)
    const settledRun = jobRun.then(removeJob, removeJob)
    underWay.add(settledRun)
    return jobRun
  })
  const sendJob = async (throttle: { singletonSeconds?: number } = {}) => {
    if (await boss.send(name, {}, throttle)) boss.notifyWorker(worker)
  }
  // Every instance sends a job per interval, and pg-boss keeps only the first.
  const sendJobOncePerInterval = () =>
    void sendJob({ singletonSeconds: everySeconds }).catch((error: unknown) =>
      log.warn({ event: 'jobs.not_sent', code: getErrorCode(error) }),
    )
  const timer = setInterval(sendJobOncePerInterval, everySeconds * 1000)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer))
  await sendJob()
}

const insufficientPrivilegeCode = '42501'

async function startBossAndQueues(
  queues: readonly JobQueue[],
  context: JobContext,
): Promise<PgBoss | null> {
  try {
    const boss = await startPgBoss()
    for (const queue of queues) await startQueue(boss, queue, context)
    return boss
  } catch (error) {
    const code = getErrorCode(error)
    log.error({
      event:
        code === insufficientPrivilegeCode ? 'jobs.role_may_not_create_schema' : 'jobs.not_started',
      code,
    })
    return null
  }
}

/**
 * Starts after `delay` milliseconds, so that creating the tables of pg-boss does not slow down the
 * first requests. If the start fails, for example because the database role may not create a
 * schema, logs an error and runs no jobs. `stop` resolves when all jobs have ended.
 */
export function startQueues(
  queues: readonly JobQueue[],
  delay: number,
): { stop: () => Promise<void> } {
  const stopController = new AbortController()
  const runningJobs = new Set<Promise<void>>()
  let bossStart: Promise<PgBoss | null> = Promise.resolve(null)
  const timer = setTimeout(() => {
    bossStart = startBossAndQueues(queues, { signal: stopController.signal, underWay: runningJobs })
  }, delay)
  timer.unref()
  return {
    stop: async () => {
      clearTimeout(timer)
      stopController.abort()
      await bossStart
        .then((boss) => boss?.stop({ graceful: false }))
        .catch((error: unknown) =>
          log.warn({ event: 'jobs.not_stopped', code: getErrorCode(error) }),
        )
      await Promise.all(runningJobs)
    },
  }
}
