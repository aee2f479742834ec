import 'server-only'
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { env, times } from '@/lib/server/config/env'
import { toDurationText } from '@/lib/server/service/request'
import { actions } from '@/lib/server/store/schema/actions'
import { uploads } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, database } from '@/lib/server/store/store'

/**
 * Throws `too_many`, with the seconds until the next write is allowed, if the person reached the limit of writes per hour. `recorded` is 1
 * if the row of the current write is already inserted.
 */
export async function requireWriteQuota(db: Db, person: string, recorded: 0 | 1 = 0): Promise<void> {
  const { writesPerHour } = env().quotas
  const [blockingAction] = await db
    .select({ seconds: sql<number>`ceil(extract(epoch from ${actions.createdAt} + interval '1 hour' - clock_timestamp()))::int` })
    .from(actions)
    .where(and(eq(actions.actorId, person), gt(actions.createdAt, sql`clock_timestamp() - interval '1 hour'`)))
    .orderBy(desc(actions.createdAt))
    .offset(writesPerHour - 1 + recorded)
    .limit(1)
  if (!blockingAction) return
  const seconds = Math.max(blockingAction.seconds, 1)
  const detail = `You have reached the limit of ${writesPerHour} actions per hour. Nothing was sent. Try again in ${toDurationText(seconds)}`
  throw new AppError('too_many', detail, { retryAfter: seconds })
}

/**
 * Adds an upload to the person's count. Locks the person's row, so that two parallel uploads cannot both pass the limit. Uses the database
 * clock. Throws `too_many` with the seconds until the next upload is allowed.
 */
export async function countUpload(actorId: string, id: string): Promise<void> {
  const uploadLimit = env().quotas.uploadsPerHour
  const db = await database()
  await db.transaction(async (tx) => {
    await tx.select({ id: people.id }).from(people).where(eq(people.id, actorId)).for('update')
    const recentUploads = await tx
      .select({ left: sql<number>`ceil(extract(epoch from ${uploads.at} + interval '1 hour' - now()))::int` })
      .from(uploads)
      .where(and(eq(uploads.actorId, actorId), gt(uploads.at, sql`now() - interval '1 hour'`)))
      .orderBy(asc(uploads.at))
    const oldestUpload = recentUploads.at(-uploadLimit)
    if (oldestUpload) throw createUploadQuotaError(uploadLimit, Math.max(oldestUpload.left, 1))
    await tx.insert(uploads).values({ id, actorId })
  })
}

function createUploadQuotaError(most: number, seconds: number): AppError {
  const detail = `not taken: you sent ${most} files within the last hour, which is the limit. Send it again in ${Math.ceil(seconds / 60)} minutes`
  return new AppError('too_many', `File: ${detail}`, { items: [{ reference: 'File', detail }], retryAfter: seconds })
}

export async function uncountUpload(id: string): Promise<void> {
  const db = await database()
  await db.delete(uploads).where(eq(uploads.id, id))
}

export async function deleteOldUploadCounts(): Promise<void> {
  const db = await database()
  await db.delete(uploads).where(lt(uploads.at, sql`now() - interval '1 hour'`))
}

/**
 * Maximum uploads that are received at once, per person (`each`) and in total (`all`). The stalled uploads of one person must not block
 * other people, and memory use must stay small. Further uploads wait for a slot for a short time, at most `waitingEach` per person, with
 * their bytes unread.
 */
const uploadLimits = { each: 2, all: 12, waitingEach: 6 }

/** Seconds after which a retry is useful: a stalled upload is cut off within that time. */
const retryAfterSeconds = 10

type WaitingUpload = { person: string; go: () => void }

const slotHolders: string[] = []
const waiters: WaitingUpload[] = []

const countSlots = (person: string) => slotHolders.filter((each) => each === person).length
const hasFreeSlot = (person: string) => slotHolders.length < uploadLimits.all && countSlots(person) < uploadLimits.each

const createSlotError = (code: 'too_many' | 'unavailable', detail: string) =>
  new AppError(code, `File: ${detail}`, { items: [{ reference: 'File', detail }], retryAfter: retryAfterSeconds })

/** Returns the error of an upload that got no slot: `too_many` if the person's own uploads fill their slots, otherwise `unavailable`. */
const createNoSlotError = (person: string): AppError =>
  countSlots(person) >= uploadLimits.each
    ? createSlotError(
        'too_many',
        `not taken: ${uploadLimits.each} of your files are still arriving. Wait until they are through, then send this one again`,
      )
    : createSlotError(
        'unavailable',
        `not taken: too many files are arriving at once. Nothing was sent; send it again in ${retryAfterSeconds} seconds`,
      )

/** Admits waiting uploads in order. Skips those of people who use all their slots. */
function admitWaiters(): void {
  for (const waiter of [...waiters]) {
    if (!hasFreeSlot(waiter.person)) continue
    waiters.splice(waiters.indexOf(waiter), 1)
    slotHolders.push(waiter.person)
    waiter.go()
  }
}

function waitForSlot(person: string, signal: AbortSignal): Promise<void> {
  if (waiters.filter((each) => each.person === person).length >= uploadLimits.waitingEach) return Promise.reject(createNoSlotError(person))
  return new Promise((resolve, reject) => {
    const leaveQueue = () => {
      waiters.splice(waiters.indexOf(waiter), 1)
      clearTimeout(timer)
      signal.removeEventListener('abort', leaveQueue)
      reject(createNoSlotError(person))
    }
    const timer = setTimeout(leaveQueue, times().upload.place)
    const waiter: WaitingUpload = {
      person,
      go: () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leaveQueue)
        resolve()
      },
    }
    signal.addEventListener('abort', leaveQueue, { once: true })
    waiters.push(waiter)
  })
}

/**
 * Runs one upload in a slot. Throws `too_many` or `unavailable` if no slot became free in time; nothing of the upload was read then. Both
 * errors name `File` and the seconds to wait.
 */
export async function runInSlot<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (hasFreeSlot(person)) slotHolders.push(person)
  else await waitForSlot(person, signal)
  try {
    return await work()
  } finally {
    slotHolders.splice(slotHolders.indexOf(person), 1)
    admitWaiters()
  }
}
