import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { getUnknownPersonHash, isPasswordCorrect, runInHashQueue } from '@/lib/server/auth/passwords'
import type { Actor } from '@/lib/server/auth/session-rows'
import { countTry, forgetFailures, isAdmitted, isLastTry, readFailedTries } from '@/lib/server/auth/sign-in'
import { toPseudonym } from '@/lib/server/store/hashes'
import { people } from '@/lib/server/store/schema/people'
import { database } from '@/lib/server/store/store'

/** Maximum locked sessions of a person. Beyond it, all are locked: an attacker with the password can open any number. */
const maxLockedSessions = 3

const toPersonKey = ({ id }: Actor) => toPseudonym(`step-up ${id}`)
const toSessionKey = ({ id, sessionHash }: Actor) => toPseudonym(`step-up ${id} ${sessionHash}`)

/**
 * Counts a try of a step-up in this session. Ten wrong tries lock the session for half an hour, like a sign-in. The person's other sessions
 * stay usable, because this one may be stolen. Throws `too_many` while locked.
 */
export async function countStepUpTry(actor: Actor): Promise<void> {
  const db = await database()
  const tries = await countTry(db, toSessionKey(actor))
  const personTries = isLastTry(tries) ? await countTry(db, toPersonKey(actor)) : await readFailedTries(db, toPersonKey(actor))
  if (isAdmitted(tries) && personTries <= maxLockedSessions) return
  throw new AppError('too_many', 'Too many wrong confirmations. Nothing was sent: try again in half an hour', { retryAfter: 1800 })
}

/** Resets the tries of a session after a correct proof. */
export const forgetStepUpTries = async (actor: Actor) => forgetFailures(await database(), toSessionKey(actor))

/** True if a password is the person's own. Checks it in the hash queue of the sign-in. Throws `unavailable` if that queue is full. */
export async function isOwnPassword(actor: Actor, password: string): Promise<boolean> {
  const db = await database()
  const [person] = await db.select({ hash: people.passwordHash }).from(people).where(eq(people.id, actor.id))
  return runInHashQueue({ known: true, key: `step-up ${actor.id}` }, () =>
    isPasswordCorrect(password, person?.hash ?? getUnknownPersonHash()),
  )
}
