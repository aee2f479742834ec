import 'server-only'
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { AppError, createFieldError } from '@/lib/errors'
import { env, getTimeSettings } from '@/lib/server/config/env'
import { toDurationText } from '@/lib/server/service/request'
import { actions } from '@/lib/server/store/schema/actions'
import { uploads } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'

/**
 * Throws `too_many` with the seconds until the next write is allowed. `recorded` is 1 if the row of
 * the current write is already inserted.
 */
export async function requireWriteQuota(
  db: Db,
  person: string,
  recorded: 0 | 1 = 0,
): Promise<void> {
  const { writesPerHour } = env().quotas
  const [blockingAction] = await db
    .select({
      seconds: sql<number>`ceil(extract(epoch from ${actions.createdAt} + interval '1 hour' - clock_timestamp()))::int`,
    })
    .from(actions)
    .where(
      and(
        eq(actions.actorId, person),
        gt(actions.createdAt, sql`clock_timestamp() - interval '1 hour'`),
      ),
    )
    .orderBy(desc(actions.createdAt))
    .offset(writesPerHour - 1 + recorded)
    .limit(1)
  if (!blockingAction) return
  const waitSeconds = Math.max(blockingAction.seconds, 1)
  const writeQuotaText = `You have reached the limit of ${writesPerHour} actions per hour. Nothing was sent. Try again in ${toDurationText(waitSeconds)}`
  throw new AppError('too_many', writeQuotaText, { retryAfter: waitSeconds })
}

/**
 * Locks the row of the person, so that two parallel uploads cannot both pass the limit. Throws
 * `too_many` with the seconds until the next upload is allowed.
 */
export async function recordUpload(actorId: string, id: string): Promise<void> {
  const uploadLimit = env().quotas.uploadsPerHour
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await tx.select({ id: people.id }).from(people).where(eq(people.id, actorId)).for('update')
    const recentUploads = await tx
      .select({
        left: sql<number>`ceil(extract(epoch from ${uploads.at} + interval '1 hour' - now()))::int`,
      })
      .from(uploads)
      .where(and(eq(uploads.actorId, actorId), gt(uploads.at, sql`now() - interval '1 hour'`)))
      .orderBy(asc(uploads.at))
    const oldestUpload = recentUploads.at(-uploadLimit)
    if (oldestUpload) throw createUploadQuotaError(uploadLimit, Math.max(oldestUpload.left, 1))
    await tx.insert(uploads).values({ id, actorId })
  })
}

function createUploadQuotaError(maxUploadsPerHour: number, seconds: number): AppError {
  const quotaText = `You uploaded ${maxUploadsPerHour} files within the last hour, which is the limit. Upload this one in ${Math.ceil(seconds / 60)} minutes.`
  return createFieldError('File', quotaText, 'too_many', { retryAfter: seconds })
}

export async function forgetUpload(id: string): Promise<void> {
  const db = await getDatabase()
  await db.delete(uploads).where(eq(uploads.id, id))
}

export async function deleteOldUploadRecords(): Promise<void> {
  const db = await getDatabase()
  await db.delete(uploads).where(lt(uploads.at, sql`now() - interval '1 hour'`))
}

/**
 * Uploads received at once: per person (`each`) and in total (`all`). The stalled uploads of one
 * person must not block other people, and memory use must stay small. Further uploads wait a short
 * time for a slot; until then none of their bytes are read.
 */
const parallelUploadLimits = { each: 2, all: 12, waitingEach: 6 }

/** A refused upload can be repeated after this time, because stalled uploads lose their slots. */
const retryAfterSeconds = 10

type WaitingUpload = { person: string; go: () => void }

const uploadingPersonIds: string[] = []
const waitingUploads: WaitingUpload[] = []

const countSlots = (person: string) => uploadingPersonIds.filter((each) => each === person).length
const hasFreeSlot = (person: string) =>
  uploadingPersonIds.length < parallelUploadLimits.all &&
  countSlots(person) < parallelUploadLimits.each

const createSlotError = (code: 'too_many' | 'unavailable', sentence: string) =>
  createFieldError('File', sentence, code, { retryAfter: retryAfterSeconds })

const createNoSlotError = (person: string): AppError =>
  countSlots(person) >= parallelUploadLimits.each
    ? createSlotError(
        'too_many',
        `${parallelUploadLimits.each} of your files are still arriving. Wait until they have arrived, then upload this one again.`,
      )
    : createSlotError(
        'unavailable',
        `Too many files are arriving at once. Nothing was sent. Upload it again in ${retryAfterSeconds} seconds.`,
      )

/** In order of arrival, but skips people who use all their slots. */
function admitWaitingUploads(): void {
  for (const waiter of [...waitingUploads]) {
    if (!hasFreeSlot(waiter.person)) continue
    waitingUploads.splice(waitingUploads.indexOf(waiter), 1)
    uploadingPersonIds.push(waiter.person)
    waiter.go()
  }
}

function waitForSlot(person: string, signal: AbortSignal): Promise<void> {
  if (
    waitingUploads.filter((each) => each.person === person).length >=
    parallelUploadLimits.waitingEach
  )
    return Promise.reject(createNoSlotError(person))
  return new Promise((resolve, reject) => {
    const leaveQueue = () => {
      waitingUploads.splice(waitingUploads.indexOf(waitingUpload), 1)
      clearTimeout(timer)
      signal.removeEventListener('abort', leaveQueue)
      reject(createNoSlotError(person))
    }
    const timer = setTimeout(leaveQueue, getTimeSettings().upload.place)
    const waitingUpload: WaitingUpload = {
      person,
      go: () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leaveQueue)
        resolve()
      },
    }
    signal.addEventListener('abort', leaveQueue, { once: true })
    waitingUploads.push(waitingUpload)
  })
}

/**
 * Throws `too_many` or `unavailable` if no slot became free in time; then no byte of the upload was
 * read. Both errors contain the seconds to wait before a retry.
 */
export async function runInUploadSlot<T>(
  person: string,
  signal: AbortSignal,
  runUpload: () => Promise<T>,
): Promise<T> {
  if (hasFreeSlot(person)) uploadingPersonIds.push(person)
  else await waitForSlot(person, signal)
  try {
    return await runUpload()
  } finally {
    uploadingPersonIds.splice(uploadingPersonIds.indexOf(person), 1)
    admitWaitingUploads()
  }
}
