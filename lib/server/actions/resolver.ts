import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { resendHours } from '@/lib/operations/answer'
import { listConfiguredEnvironments, times } from '@/lib/server/config/env'
import { getErrorCode } from '@/lib/server/error-code'
import { createFailureLog } from '@/lib/server/failure-log'
import { log } from '@/lib/server/log'
import { getKeyFingerprint } from '@/lib/server/service/client'
import { isLostKey } from '@/lib/server/store/encryption'
import type { StoreNotification } from '@/lib/server/store/notifications'
import { actions } from '@/lib/server/store/schema/actions'
import { getDatabase, getStore } from '@/lib/server/store/store'
import { type Action, instanceId, toLeaseEnd } from './action-log'
import type { SendOutcome } from './classify-answer'
import { createNotSentError } from './classify-answer'
import { completeAction, LeaseLostError, listAttempts } from './complete-action'
import { deleteOrphanedPayloads } from './payloads'
import { deleteOldUploadCounts } from './quotas'
import { runAction } from './run'

const sweepIntervalMs = 10 * 60_000
/**
 * An action that was never sent is sent only if the request or its approval is at most this many
 * minutes old. Otherwise it is refused.
 */
const maxUnsentAgeMinutes = 5

/** Milliseconds between polls for due actions while any action is open. */
const openActionPollMs = 1000

const isDueCondition = sql`${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true) and coalesce(${actions.nextCheckAt} <= now(), true)`

/**
 * Takes the lease of one open action whose lease is free or expired; null if there is none. Raises
 * the fence number of the action, so that the process with the expired lease can no longer write.
 * With an id, takes that action even if it is not due for a check.
 */
async function takeLease(id?: string): Promise<Action | null> {
  const db = await getDatabase()
  const condition = id
    ? sql`${actions.id} = ${id} and ${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true)`
    : isDueCondition
  const firstActionId = sql`(select ${actions.id} from ${actions} where ${condition} order by ${actions.nextCheckAt} nulls first limit 1 for update skip locked)`
  const [row] = await db
    .update(actions)
    .set({
      leaseOwner: instanceId,
      leaseUntil: toLeaseEnd('upload'),
      fence: sql`${actions.fence} + 1`,
      // A check that a person requests is not counted in `checks`: otherwise frequent requests
      // would delay the scheduled checks.
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

/**
 * Returns the outcome of an action that must not be sent (again): it is too old, its API key
 * changed, or it was never sent and was requested too long ago. Returns null if it must be sent.
 */
async function decideWithoutSending(action: Action): Promise<SendOutcome | null> {
  const db = await getDatabase()
  const [ageRow] = await db
    .select({
      burnt: sql<boolean>`coalesce(${actions.firstSentAt} < now() - make_interval(hours => ${resendHours}), false)`,
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
      `More than ${resendHours} hours old: a replay could run the action twice`,
    )
  const isServed = listConfiguredEnvironments().includes(action.environment)
  if (!isServed || getKeyFingerprint(action.environment) !== action.serviceKey) {
    return createNeedsHumanOutcome(
      'key_changed',
      'The API key was changed: a replay under another key could run the action twice',
    )
  }
  return null
}

/**
 * Sends the action once. If its body cannot be decrypted because its key is declared lost, the
 * action needs a human decision instead.
 */
async function resendAction(action: Action): Promise<Action> {
  try {
    return (await runAction(action, { replays: 0 })).action
  } catch (error) {
    if (!isLostKey(error)) throw error
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
    const verdict = await decideWithoutSending(action)
    const row = verdict ? await completeAction(action, verdict, null) : await resendAction(action)
    log.info({
      event: 'action.resolved',
      action_id: row.id,
      operation: row.operation,
      state: row.state,
    })
  } catch (error) {
    // The action stays open and its lease expires, so it is checked again later.
    if (!(error instanceof LeaseLostError))
      log.error({ event: 'action.resolve_failed', action_id: action.id, code: getErrorCode(error) })
  }
}

/**
 * Checks one action now: sends the same bytes under the same key. Does nothing if it is not open,
 * or another process has its lease.
 */
export async function checkActionNow(id: string): Promise<void> {
  const action = await takeLease(id)
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

/** Checks all actions that are due. Returns the milliseconds until the next poll. */
async function resolveDueActions(): Promise<number> {
  try {
    for (let action = await takeLease(); action; action = await takeLease())
      await resolveAction(action)
    failureLog.noteSuccess()
    return (await isAnyActionOpen()) ? openActionPollMs : times().pauses.idleResolver
  } catch (error) {
    failureLog.noteFailure(getErrorCode(error))
    return openActionPollMs
  }
}

/**
 * True if an action may be open after this notification. Null means that notifications may have
 * been missed.
 */
const mayOpenActions = (notification: StoreNotification | null): boolean =>
  notification === null || (notification.about === 'rows' && notification.resource === 'actions')

/**
 * Starts polling for open actions, until `stop`: once a second while any action is open, otherwise
 * after a notification or a longer pause. Every instance polls. SKIP LOCKED and the fence number
 * ensure that two instances never work on the same action.
 */
export function startActionResolver(): { stop: () => void } {
  let stopped = false
  let isPolling = false
  let isNotified = false
  let nextPoll: { at: number; timer: NodeJS.Timeout } | undefined
  const pollWithin = (milliseconds: number) => {
    const at = performance.now() + milliseconds
    if (stopped || (nextPoll && nextPoll.at <= at)) return
    clearTimeout(nextPoll?.timer)
    nextPoll = { at, timer: setTimeout(() => void poll(), milliseconds) }
  }
  const poll = async () => {
    nextPoll = undefined
    isPolling = true
    isNotified = false
    const pause = await resolveDueActions()
    isPolling = false
    pollWithin(isNotified ? openActionPollMs : pause)
  }
  const onNotification = (notification: StoreNotification | null) => {
    if (!mayOpenActions(notification)) return
    isNotified = true
    if (!isPolling) pollWithin(openActionPollMs)
  }
  const deleteLeftovers = () =>
    Promise.all([deleteOrphanedPayloads(), deleteOldUploadCounts()]).catch((error: unknown) =>
      log.warn({ event: 'payloads.sweep_failed', code: getErrorCode(error) }),
    )
  const sweepTimer = setInterval(() => void deleteLeftovers(), sweepIntervalMs)
  sweepTimer.unref()
  void expireOldLeases()
    .catch((error: unknown) =>
      log.error({ event: 'resolver.take_over_failed', code: getErrorCode(error) }),
    )
    .then(poll)
  void getStore().then(({ notices }) => notices.listen(onNotification))
  return {
    stop: () => {
      stopped = true
      clearTimeout(nextPoll?.timer)
      clearInterval(sweepTimer)
    },
  }
}
