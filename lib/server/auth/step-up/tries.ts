import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import {
  forgetFailedTries,
  isLastTry,
  isTryAllowed,
  readFailedTries,
  recordFailedTry,
} from '@/lib/server/auth/failed-tries'
import { getUnmatchableHash, isPasswordCorrect, runInHashQueue } from '@/lib/server/auth/passwords'
import type { Actor } from '@/lib/server/auth/session-rows'
import { toPseudonym } from '@/lib/server/store/hashes'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'

/**
 * If more of a person's sessions than this are locked, all are: an attacker with the password can
 * open any number of sessions.
 */
const maxLockedSessions = 3

const toPersonKey = ({ id }: Actor) => toPseudonym(`step-up ${id}`)
const toSessionKey = ({ id, sessionHash }: Actor) => toPseudonym(`step-up ${id} ${sessionHash}`)

/**
 * As at sign-in, ten wrong tries lock the session's step-up for half an hour. The person's other
 * sessions are not locked, because this one may be stolen. Throws `too_many` while the step-up is
 * locked.
 */
export async function countStepUpTry(actor: Actor): Promise<void> {
  const db = await getDatabase()
  const sessionTries = await recordFailedTry(db, toSessionKey(actor))
  const personTries = isLastTry(sessionTries)
    ? await recordFailedTry(db, toPersonKey(actor))
    : await readFailedTries(db, toPersonKey(actor))
  if (isTryAllowed(sessionTries) && personTries <= maxLockedSessions) return
  throw new AppError(
    'too_many',
    'Too many wrong confirmations. Nothing was sent: try again in half an hour',
    { retryAfter: 1800 },
  )
}

export const forgetStepUpTries = async (actor: Actor) =>
  forgetFailedTries(await getDatabase(), toSessionKey(actor))

/** The check runs in the hash queue of the sign-in. Throws `unavailable` if that queue is full. */
export async function isOwnPassword(actor: Actor, password: string): Promise<boolean> {
  const db = await getDatabase()
  const [person] = await db
    .select({ hash: people.passwordHash })
    .from(people)
    .where(eq(people.id, actor.id))
  return runInHashQueue({ known: true, key: `step-up ${actor.id}` }, () =>
    isPasswordCorrect(password, person?.hash ?? getUnmatchableHash()),
  )
}
