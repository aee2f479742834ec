import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { resendWindowHours } from '@/lib/operations/answer'
import { getTimeSettings, listConfiguredEnvironments } from '@/lib/server/config/env'
import { getErrorCode } from '@/lib/server/error-code'
import { createFailureLog } from '@/lib/server/failure-log'
import { log } from '@/lib/server/log'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { isLostKeyError } from '@/lib/server/store/encryption'
import type { StoreNotification } from '@/lib/server/store/notifications'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase, getStore } from '@/lib/server/store/store'
import { type Action, instanceId, toLeaseEnd } from './action-log'
import type { SendOutcome } from './classify-answer'
import { createNotSentError } from './classify-answer'
import { completeAction, LeaseLostError, listAttempts } from './complete-action'
import { deleteOrphanedPayloads } from './payloads'
import { deleteOldUploadRecords } from './quotas'
import { runAction } from './run'

const sweepIntervalMs = 10 * 60_000
/** An older request or approval that was never sent is refused. */
const maxUnsentAgeMinutes = 5

const openActionPollMs = 1000

const dueActionCondition = sql`${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true) and coalesce(${actions.nextCheckAt} <= now(), true)`

/**
 * Takes a free or expired lease; null if there is none. The raised fence number stops the process
 * with the expired lease from writing. With an id, takes that action even if it is not due.
 */
async function takeActionLease(id?: string): Promise<Action | null> {
  const db = await getDatabase()
  const leaseCondition = id
    ? sql`${actions.id} = ${id} and ${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true)`
    : dueActionCondition
  const firstActionId = sql`(select ${actions.id} from ${actions} where ${leaseCondition} order by ${actions.nextCheckAt} nulls first limit 1 for update skip locked)`
  const [row] = await db
    .update(actions)
    .set({
      leaseOwner: instanceId,
      leaseUntil: toLeaseEnd('upload'),
      fence: sql`${actions.fence} + 1`,
      // A person's own checks do not count: frequent requests would delay the scheduled checks.
      ...(id ? {} : { checks: sql`${actions.checks} + 1` }),
    })
    .where(sql`${actions.id} = ${firstActionId}`)
    .returning()
  return row ?? null
}

const createNeedsHumanOutcome = (fault: string, text: string): SendOutcome => ({
  state: 'needs_human',
  fault,
  error: new AppError('needs_human', text),
})

/** Null if the action must be sent (again). */
async function findKnownOutcome(action: Action): Promise<SendOutcome | null> {
  const db = await getDatabase()
  const [ageRow] = await db
    .select({
      burnt: sql<boolean>`coalesce(${actions.firstSentAt} < now() - make_interval(hours => ${resendWindowHours}), false)`,
      fresh: sql<boolean>`coalesce((${actions.approval} ->> 'at')::timestamptz, ${actions.createdAt}) > now() - make_interval(mins => ${maxUnsentAgeMinutes})`,
    })
    .from(actions)
    .where(eq(actions.id, action.id))
  const attempts = await listAttempts(db, action.id)
  if (attempts.length === 0)
    return ageRow?.fresh
      ? null
      : { state: 'refused', error: createNotSentError('stopped', action.id) }
  if (ageRow?.burnt)
    return createNeedsHumanOutcome(
      'too_old',
      `More than ${resendWindowHours} hours old: a replay could run the action twice`,
    )
  const isEnvironmentConfigured = listConfiguredEnvironments().includes(action.environment)
  if (!isEnvironmentConfigured || getKeyFingerprint(action.environment) !== action.serviceKey) {
    return createNeedsHumanOutcome(
      'key_changed',
      'The API key was changed: a replay under another key could run the action twice',
    )
  }
  return null
}

/** If the encryption key of the body is declared lost, the action needs a human decision. */
async function resendAction(action: Action): Promise<Action> {
  try {
    return (await runAction(action, { replays: 0 })).action
  } catch (error) {
    if (!isLostKeyError(error)) throw error
    return completeAction(
      action,
      createNeedsHumanOutcome(
        'key_lost',
        'The encryption key of the request is lost: the request cannot be repeated',
      ),
      null,
    )
  }
}

async function resolveAction(action: Action): Promise<void> {
  try {
    const knownOutcome = await findKnownOutcome(action)
    const resolvedAction = knownOutcome
      ? await completeAction(action, knownOutcome, null)
      : await resendAction(action)
    log.info({
      event: 'action.resolved',
      action_id: resolvedAction.id,
      operation: resolvedAction.operation,
      state: resolvedAction.state,
    })
  } catch (error) {
    // The action stays open and its lease expires, so it is checked again later.
    if (!(error instanceof LeaseLostError))
      log.error({ event: 'action.resolve_failed', action_id: action.id, code: getErrorCode(error) })
  }
}

/**
 * Finds the outcome of an open action, if necessary by repeating its request with the same body and
 * idempotency key. Does nothing if another process has the lease of the action.
 */
export async function checkActionNow(id: string): Promise<void> {
  const action = await takeActionLease(id)
  if (action) await resolveAction(action)
}

/**
 * Ends the leases of an earlier process of this installation, which has stopped. Does so only if no
 * other process uses the store, because such a process could still hold the lease.
 */
async function expireOldLeases(): Promise<void> {
  const { db, alone } = await getStore()
  if (!alone) return
  await db
    .update(actions)
    .set({ leaseUntil: sql`now()`, nextCheckAt: sql`now()` })
    .where(sql`${actions.state} in ('sending', 'unknown')`)
}

const failureLog = createFailureLog('resolver.round_failed')

async function isAnyActionOpen(): Promise<boolean> {
  const openRows = await (await getDatabase())
    .select({ id: actions.id })
    .from(actions)
    .where(inArray(actions.state, ['sending', 'unknown']))
    .limit(1)
  return openRows.length > 0
}

/** Returns the milliseconds until the next poll. */
async function resolveDueActions(): Promise<number> {
  try {
    for (let action = await takeActionLease(); action; action = await takeActionLease())
      await resolveAction(action)
    failureLog.noteSuccess()
    return (await isAnyActionOpen()) ? openActionPollMs : getTimeSettings().pauses.idleResolver
  } catch (error) {
    failureLog.noteFailure(getErrorCode(error))
    return openActionPollMs
  }
}

/** A null notification means that notifications may have been missed. */
const mayHaveOpenedAction = (notification: StoreNotification | null): boolean =>
  notification === null || (notification.about === 'rows' && notification.resource === 'actions')

/**
 * Polls once a second while any action is open, otherwise after a notification or a longer pause.
 * Every instance polls. SKIP LOCKED and the fence number ensure that two instances never work on
 * the same action.
 */
export function startActionResolver(): { stop: () => void } {
  let isStopped = false
  let isPolling = false
  let isNotified = false
  let nextPoll: { at: number; timer: NodeJS.Timeout } | undefined
  const pollWithin = (milliseconds: number) => {
    const pollTime = performance.now() + milliseconds
    if (isStopped || (nextPoll && nextPoll.at <= pollTime)) return
    clearTimeout(nextPoll?.timer)
    nextPoll = { at: pollTime, timer: setTimeout(() => void pollDueActions(), milliseconds) }
  }
  const pollDueActions = async () => {
    nextPoll = undefined
    isPolling = true
    isNotified = false
    const nextPauseMs = await resolveDueActions()
    isPolling = false
    pollWithin(isNotified ? openActionPollMs : nextPauseMs)
  }
  const onNotification = (notification: StoreNotification | null) => {
    if (!mayHaveOpenedAction(notification)) return
    isNotified = true
    if (!isPolling) pollWithin(openActionPollMs)
  }
  const deleteUploadLeftovers = () =>
    Promise.all([deleteOrphanedPayloads(), deleteOldUploadRecords()]).catch((error: unknown) =>
      log.warn({ event: 'payloads.sweep_failed', code: getErrorCode(error) }),
    )
  const sweepTimer = setInterval(() => void deleteUploadLeftovers(), sweepIntervalMs)
  sweepTimer.unref()
  void expireOldLeases()
    .catch((error: unknown) =>
      log.error({ event: 'resolver.take_over_failed', code: getErrorCode(error) }),
    )
    .then(pollDueActions)
  void getStore().then(({ notices }) => notices.listen(onNotification))
  return {
    stop: () => {
      isStopped = true
      clearTimeout(nextPoll?.timer)
      clearInterval(sweepTimer)
    },
  }
}
