import 'server-only'
import { and, asc, eq, inArray, isNotNull, lt, lte, type SQLWrapper, sql } from 'drizzle-orm'
import { type Environment, environments } from '@/lib/operations/define'
import { configuredEnvironments } from '@/lib/server/config/env'
import { errorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import type { Notice } from '@/lib/server/store/notices'
import { mirrorForgotten, webhookEvents, webhookRefusals } from '@/lib/server/store/schema/mirror'
import { database, store } from '@/lib/server/store/store'
import { prunedAtOnce, startPruning } from '@/lib/server/store/upkeep'
import { type Outcome, processEvents, type WebhookEvent } from './process'

/** Events processed per batch. */
const atOnce = 50

/** Seconds to wait after each failed try. After the last try, the event has failed until a person retries it. */
const waits = [10, 60, 300, 1800, 7200]

/** Milliseconds between polls, for events whose notification was missed. */
const lookEvery = 10_000

const keptDays = 30

/**
 * SQL condition: the event is one of the ids. PostgreSQL runs an array subquery once, but may run an `in` subquery per row and then lock
 * more rows than its limit.
 */
const isAmong = (ids: SQLWrapper) => sql`${webhookEvents.id} = any(array${ids})`

/** Takes a batch of due events. Sets the time of their next try first, so that no event is lost if the process dies. */
async function take(environment: Environment): Promise<WebhookEvent[]> {
  const db = await database()
  const inEnvironment = eq(webhookEvents.environment, environment)
  const due = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(inEnvironment, eq(webhookEvents.state, 'received'), lte(webhookEvents.nextTryAt, sql`now()`)))
    .orderBy(asc(webhookEvents.nextTryAt))
    .limit(atOnce)
    .for('update', { skipLocked: true })
  const wait = sql`make_interval(secs => (array[${sql.raw(waits.join(', '))}])[least(${webhookEvents.tries} + 1, ${waits.length})])`
  const rows = await db
    .update(webhookEvents)
    .set({ tries: sql`${webhookEvents.tries} + 1`, nextTryAt: sql`now() + ${wait}` })
    .where(and(inEnvironment, isAmong(due)))
    .returning()
  return rows.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
}

type Ended = Pick<WebhookEvent, 'state' | 'note'>

const endOf = ({ tries }: WebhookEvent, outcome: Outcome): Ended =>
  outcome.state === 'received' && tries > waits.length ? { state: 'failed', note: outcome.note } : outcome

/** Writes the outcomes, with one statement per kind of outcome. Events that are tried again already have the time of their next try. */
async function finish(environment: Environment, outcomes: ReadonlyMap<WebhookEvent, Outcome>): Promise<void> {
  const alike = new Map<string, { end: Ended; ids: string[] }>()
  for (const [event, outcome] of outcomes) {
    const end = endOf(event, outcome)
    const key = `${end.state} ${end.note}`
    alike.set(key, { end, ids: [...(alike.get(key)?.ids ?? []), event.id] })
  }
  const db = await database()
  for (const { end, ids } of alike.values()) {
    if (end.state === 'failed') log.error({ event: 'webhooks.given_up', environment, count: ids.length })
    await db
      .update(webhookEvents)
      .set(end.state === 'received' ? end : { ...end, processedAt: sql`now()`, nextTryAt: null })
      .where(and(eq(webhookEvents.environment, environment), inArray(webhookEvents.id, ids)))
  }
}

async function processDue(environment: Environment): Promise<void> {
  for (let events = await take(environment); events.length > 0; events = await take(environment)) {
    await finish(environment, await processEvents(environment, events))
  }
}

/** Deletes a batch of events older than 30 days. Returns their number. */
async function pruneEvents(environment: Environment): Promise<number> {
  const db = await database()
  const oldest = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.environment, environment), lt(webhookEvents.receivedAt, sql`now() - make_interval(days => ${keptDays})`)))
    .orderBy(asc(webhookEvents.receivedAt))
    .limit(prunedAtOnce)
    .for('update', { skipLocked: true })
  const deletedRows = await db
    .delete(webhookEvents)
    .where(and(eq(webhookEvents.environment, environment), isAmong(oldest)))
    .returning({ id: webhookEvents.id })
  return deletedRows.length
}

/** Deletes the payloads of a batch of events about deleted customers. Returns the number of these events. */
async function pruneForgotten(environment: Environment): Promise<number> {
  const db = await database()
  const some = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .innerJoin(mirrorForgotten, and(eq(mirrorForgotten.environment, environment), eq(mirrorForgotten.id, webhookEvents.customerId)))
    .where(and(eq(webhookEvents.environment, environment), isNotNull(webhookEvents.payload)))
    .limit(prunedAtOnce)
    .for('update', { of: webhookEvents, skipLocked: true })
  const emptied = await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(and(eq(webhookEvents.environment, environment), isAmong(some)))
    .returning({ id: webhookEvents.id })
  return emptied.length
}

/** Deletes refusal counts older than 30 days. There are only a few per day, so all are deleted at once. */
async function pruneRefusals(): Promise<number> {
  await (await database()).delete(webhookRefusals).where(lt(webhookRefusals.day, sql`current_date - ${keptDays}::int`))
  return 0
}

/** Starts processing events, one batch at a time, and deleting old ones, until `stop`. Runs in every instance. */
export function startWebhooks(): { stop: () => void } {
  let running = false
  let shouldRerun = false
  let stopped = false
  const run = async () => {
    if (stopped) return
    shouldRerun = running
    if (running) return
    running = true
    for (const environment of configuredEnvironments()) {
      await processDue(environment).catch((error: unknown) =>
        log.error({ event: 'webhooks.round_failed', environment, code: errorCode(error) }),
      )
    }
    running = false
    if (shouldRerun) void run()
  }
  const hear = (notice: Notice | null) => void (notice?.about !== 'rows' && run())
  void store().then(({ notices }) => notices.listen(hear))
  const timer = setInterval(run, lookEvery)
  timer.unref()
  const ofEach = environments.flatMap((environment) => [() => pruneEvents(environment), () => pruneForgotten(environment)])
  const pruning = startPruning('webhook_events', [...ofEach, pruneRefusals])
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
      pruning.stop()
    },
  }
}
