import 'server-only'
import { and, asc, eq, inArray, isNotNull, lt, lte, type SQLWrapper, sql } from 'drizzle-orm'
import { type Environment, environments } from '@/lib/operations/define'
import { listConfiguredEnvironments } from '@/lib/server/config/env'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import type { StoreNotification } from '@/lib/server/store/notifications'
import {
  mirrorDeletedCustomers,
  webhookEvents,
  webhookRefusals,
} from '@/lib/server/store/schema/mirror'
import { getDatabase, getStore } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'
import { type EventOutcome, processEvents, type WebhookEvent } from './process'

const eventBatchSize = 50

/** After the last try, the event has failed until a person retries it. */
const retryDelaySeconds = [10, 60, 300, 1800, 7200]

/** Interval of looking for events whose notification was missed. */
const pollIntervalMs = 10_000

const retentionDays = 30

/**
 * PostgreSQL runs an array subquery once, but may run an `in` subquery per row and then lock more
 * rows than its limit.
 */
const isAmongIds = (ids: SQLWrapper) => sql`${webhookEvents.id} = any(array${ids})`

/** Sets the time of the next try first, so that no event is lost if the process dies. */
async function takeDueEvents(environment: Environment): Promise<WebhookEvent[]> {
  const db = await getDatabase()
  const isInEnvironment = eq(webhookEvents.environment, environment)
  const dueIds = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        isInEnvironment,
        eq(webhookEvents.state, 'received'),
        lte(webhookEvents.nextTryAt, sql`now()`),
      ),
    )
    .orderBy(asc(webhookEvents.nextTryAt))
    .limit(eventBatchSize)
    .for('update', { skipLocked: true })
  const retryDelay = sql`make_interval(secs => (array[${sql.raw(retryDelaySeconds.join(', '))}])[least(${webhookEvents.tries} + 1, ${retryDelaySeconds.length})])`
  const dueEventRows = await db
    .update(webhookEvents)
    .set({ tries: sql`${webhookEvents.tries} + 1`, nextTryAt: sql`now() + ${retryDelay}` })
    .where(and(isInEnvironment, isAmongIds(dueIds)))
    .returning()
  return dueEventRows.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())
}

type FinalState = Pick<WebhookEvent, 'state' | 'note'>

const toFinalState = ({ tries }: WebhookEvent, outcome: EventOutcome): FinalState =>
  outcome.state === 'received' && tries > retryDelaySeconds.length
    ? { state: 'failed', note: outcome.note }
    : outcome

/**
 * One statement per kind of outcome. `takeDueEvents` has already set the next try of events that
 * are tried again.
 */
async function writeOutcomes(
  environment: Environment,
  outcomes: ReadonlyMap<WebhookEvent, EventOutcome>,
): Promise<void> {
  const groupedByOutcome = new Map<string, { end: FinalState; ids: string[] }>()
  for (const [event, outcome] of outcomes) {
    const finalState = toFinalState(event, outcome)
    const key = `${finalState.state} ${finalState.note}`
    groupedByOutcome.set(key, {
      end: finalState,
      ids: [...(groupedByOutcome.get(key)?.ids ?? []), event.id],
    })
  }
  const db = await getDatabase()
  for (const { end, ids } of groupedByOutcome.values()) {
    if (end.state === 'failed')
      log.error({ event: 'webhooks.given_up', environment, count: ids.length })
    await db
      .update(webhookEvents)
      .set(end.state === 'received' ? end : { ...end, processedAt: sql`now()`, nextTryAt: null })
      .where(and(eq(webhookEvents.environment, environment), inArray(webhookEvents.id, ids)))
  }
}

async function processDueEvents(environment: Environment): Promise<void> {
  for (
    let events = await takeDueEvents(environment);
    events.length > 0;
    events = await takeDueEvents(environment)
  ) {
    await writeOutcomes(environment, await processEvents(environment, events))
  }
}

async function pruneEvents(environment: Environment): Promise<number> {
  const db = await getDatabase()
  const oldestIds = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.environment, environment),
        lt(webhookEvents.receivedAt, sql`now() - make_interval(days => ${retentionDays})`),
      ),
    )
    .orderBy(asc(webhookEvents.receivedAt))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  const deletedRows = await db
    .delete(webhookEvents)
    .where(and(eq(webhookEvents.environment, environment), isAmongIds(oldestIds)))
    .returning({ id: webhookEvents.id })
  return deletedRows.length
}

async function pruneForgottenPayloads(environment: Environment): Promise<number> {
  const db = await getDatabase()
  const forgottenEventIds = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .innerJoin(
      mirrorDeletedCustomers,
      and(
        eq(mirrorDeletedCustomers.environment, environment),
        eq(mirrorDeletedCustomers.id, webhookEvents.customerId),
      ),
    )
    .where(and(eq(webhookEvents.environment, environment), isNotNull(webhookEvents.payload)))
    .limit(pruneBatchSize)
    .for('update', { of: webhookEvents, skipLocked: true })
  const clearedRows = await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(and(eq(webhookEvents.environment, environment), isAmongIds(forgottenEventIds)))
    .returning({ id: webhookEvents.id })
  return clearedRows.length
}

/** Deletes all old counts at once, because there are only a few per day. */
async function pruneRefusals(): Promise<number> {
  await (await getDatabase())
    .delete(webhookRefusals)
    .where(lt(webhookRefusals.day, sql`current_date - ${retentionDays}::int`))
  return 0
}

/** Processes received events, one batch at a time. Runs in every instance. */
export function startWebhookWorker(): { stop: () => void } {
  let isRunning = false
  let shouldRerun = false
  let isStopped = false
  const processEnvironments = async () => {
    if (isStopped) return
    shouldRerun = isRunning
    if (isRunning) return
    isRunning = true
    for (const environment of listConfiguredEnvironments()) {
      await processDueEvents(environment).catch((error: unknown) =>
        log.error({ event: 'webhooks.round_failed', environment, code: getErrorCode(error) }),
      )
    }
    isRunning = false
    if (shouldRerun) void processEnvironments()
  }
  const onNotification = (notification: StoreNotification | null) =>
    void (notification?.about !== 'rows' && processEnvironments())
  void getStore().then(({ notices }) => notices.listen(onNotification))
  const timer = setInterval(processEnvironments, pollIntervalMs)
  timer.unref()
  const environmentPruneSteps = environments.flatMap((environment) => [
    () => pruneEvents(environment),
    () => pruneForgottenPayloads(environment),
  ])
  const pruning = startPruning('webhook_events', [...environmentPruneSteps, pruneRefusals])
  return {
    stop: () => {
      isStopped = true
      clearInterval(timer)
      pruning.stop()
    },
  }
}
