import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { fuseHours } from '@/lib/operations/answer'
import { configuredEnvironments, times } from '@/lib/server/config/env'
import { errorCode } from '@/lib/server/error-code'
import { failureLog } from '@/lib/server/failure-log'
import { log } from '@/lib/server/log'
import { keyFingerprint } from '@/lib/server/service/client'
import { isLostKey } from '@/lib/server/store/encryption'
import type { Notice } from '@/lib/server/store/notices'
import { actions } from '@/lib/server/store/schema'
import { database, store } from '@/lib/server/store/store'
import { type Action, instance, leaseFor } from './action-log'
import type { Outcome } from './classify-answer'
import { notSent } from './classify-answer'
import { attemptsOf, completeAction, LeaseLost } from './complete-action'
import { deleteOrphanedPayloads } from './payloads'
import { deleteOldUploadCounts } from './quotas'
import { runAction } from './run'

const sweepEvery = 10 * 60_000
/** An action that was never sent is sent if its confirmation is this fresh, else it is let go. */
const freshMinutes = 5

/** Between two looks for actions that are due, while any is open (milliseconds). */
const pauseMs = 1000

const dueNow = sql`${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true) and coalesce(${actions.nextCheckAt} <= now(), true)`

/**
 * Takes one open action that nobody holds, with a new fence, so that a process that slept through its lease can write nothing any more.
 * `id` takes that one even if it is not due yet. Null when there is none.
 */
async function take(id?: string): Promise<Action | null> {
  const db = await database()
  const which = id
    ? sql`${actions.id} = ${id} and ${actions.state} in ('sending', 'unknown') and coalesce(${actions.leaseUntil} <= now(), true)`
    : dueNow
  const first = sql`(select ${actions.id} from ${actions} where ${which} order by ${actions.nextCheckAt} nulls first limit 1 for update skip locked)`
  const [row] = await db
    .update(actions)
    .set({
      leaseOwner: instance,
      leaseUntil: leaseFor('upload'),
      fence: sql`${actions.fence} + 1`,
      // Only the schedule's own checks move it on: a person who asks often must not slow it down.
      ...(id ? {} : { checks: sql`${actions.checks} + 1` }),
    })
    .where(sql`${actions.id} = ${first}`)
    .returning()
  return row ?? null
}

const decide = (fault: string, text: string): Outcome => ({ state: 'needs_human', fault, error: new AppError('needs_human', text) })

/** What can be said without sending: too old, another key, or never sent and no longer fresh. Null when it is to be sent (again). */
async function verdictWithoutSending(action: Action): Promise<Outcome | null> {
  const db = await database()
  const [age] = await db
    .select({
      burnt: sql<boolean>`coalesce(${actions.firstSentAt} < now() - make_interval(hours => ${fuseHours}), false)`,
      fresh: sql<boolean>`coalesce((${actions.approval} ->> 'at')::timestamptz, ${actions.createdAt}) > now() - make_interval(mins => ${freshMinutes})`,
    })
    .from(actions)
    .where(eq(actions.id, action.id))
  const attempts = await attemptsOf(db, action.id)
  if (attempts.length === 0) return age?.fresh ? null : { state: 'refused', error: notSent('stopped', action.id) }
  if (age?.burnt) return decide('too_old', `More than ${fuseHours} hours old: a replay could run the action twice`)
  const served = configuredEnvironments().includes(action.environment)
  if (!served || keyFingerprint(action.environment) !== action.serviceKey) {
    return decide('key_changed', 'The API key was changed: a replay under another key could run the action twice')
  }
  return null
}

/** One sending; a person decides where the bytes cannot be read any more, because the key they are encrypted under is given up for lost. */
async function sendAgain(action: Action): Promise<Action> {
  try {
    return (await runAction(action, { replays: 0 })).action
  } catch (error) {
    if (!isLostKey(error)) throw error
    return completeAction(action, decide('key_lost', 'The encryption key of the request is lost: the request cannot be repeated'), null)
  }
}

async function resolve(action: Action): Promise<void> {
  try {
    const verdict = await verdictWithoutSending(action)
    const row = verdict ? await completeAction(action, verdict, null) : await sendAgain(action)
    log.info({ event: 'action.resolved', action_id: row.id, operation: row.operation, state: row.state })
  } catch (error) {
    // Whatever went wrong, the row is open and its lease runs out: it comes round again.
    if (!(error instanceof LeaseLost)) log.error({ event: 'action.resolve_failed', action_id: action.id, code: errorCode(error) })
  }
}

/** Checks one action now, if it is open and nobody is at it: a replay of the same bytes under the same key. */
export async function checkNow(id: string): Promise<void> {
  const action = await take(id)
  if (action) await resolve(action)
}

/** Frees what a dead process of this installation held. Only the sole user of a store may say that its holder is dead. */
async function takeOver(): Promise<void> {
  const { db, alone } = await store()
  if (!alone) return
  await db.update(actions).set({ leaseUntil: sql`now()`, nextCheckAt: sql`now()` }).where(sql`${actions.state} in ('sending', 'unknown')`)
}

const failures = failureLog('resolver.round_failed')

async function isAnyOpen(): Promise<boolean> {
  const open = await (await database())
    .select({ id: actions.id })
    .from(actions)
    .where(inArray(actions.state, ['sending', 'unknown']))
    .limit(1)
  return open.length > 0
}

/** Resolves the actions that are due. Returns the time until the next look. */
async function round(): Promise<number> {
  try {
    for (let action = await take(); action; action = await take()) await resolve(action)
    failures.noteSuccess()
    return (await isAnyOpen()) ? pauseMs : times().pauses.idleResolver
  } catch (error) {
    failures.noteFailure(errorCode(error))
    return pauseMs
  }
}

/** Returns true for a notice after which actions may be open. */
const mayOpenActions = (notice: Notice | null): boolean => notice === null || (notice.about === 'rows' && notice.resource === 'actions')

/**
 * Starts asking for open actions, until `stop`: once a second while any is open, and when another is told of. Runs in every instance: rows are taken with SKIP
 * LOCKED and a fenced lease, so two never work on one.
 */
export function startResolver(): { stop: () => void } {
  let stopped = false
  let isLooking = false
  let isTold = false
  let next: { at: number; timer: NodeJS.Timeout } | undefined
  const lookWithin = (milliseconds: number) => {
    const at = performance.now() + milliseconds
    if (stopped || (next && next.at <= at)) return
    clearTimeout(next?.timer)
    next = { at, timer: setTimeout(() => void look(), milliseconds) }
  }
  const look = async () => {
    next = undefined
    isLooking = true
    isTold = false
    const pause = await round()
    isLooking = false
    lookWithin(isTold ? pauseMs : pause)
  }
  const hear = (notice: Notice | null) => {
    if (!mayOpenActions(notice)) return
    isTold = true
    if (!isLooking) lookWithin(pauseMs)
  }
  const sweepAll = () =>
    Promise.all([deleteOrphanedPayloads(), deleteOldUploadCounts()]).catch((error: unknown) =>
      log.warn({ event: 'payloads.sweep_failed', code: errorCode(error) }),
    )
  const sweep = setInterval(() => void sweepAll(), sweepEvery)
  sweep.unref()
  void takeOver()
    .catch((error: unknown) => log.error({ event: 'resolver.take_over_failed', code: errorCode(error) }))
    .then(look)
  void store().then(({ notices }) => notices.listen(hear))
  return {
    stop: () => {
      stopped = true
      clearTimeout(next?.timer)
      clearInterval(sweep)
    },
  }
}
