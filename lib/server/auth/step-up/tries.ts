import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { inHashQueue, passwordFits, unknownPersonHash } from '@/lib/server/auth/passwords'
import type { Actor } from '@/lib/server/auth/session-rows'
import { forgetFailures, isAdmitted, isLastTry, takeTry, triesOf } from '@/lib/server/auth/sign-in'
import { pseudonym } from '@/lib/server/store/hashes'
import { people } from '@/lib/server/store/schema/people'
import { database } from '@/lib/server/store/store'

/** An attacker with the password can open any number of sessions. If more than this many are locked, all sessions are locked. */
const mostLockedSessions = 3

const ofPerson = ({ id }: Actor) => pseudonym(`step-up ${id}`)
const ofSession = ({ id, sessionHash }: Actor) => pseudonym(`step-up ${id} ${sessionHash}`)

/**
 * Counts a try of a step-up in this session. Ten wrong tries lock the session for half an hour, as at sign-in. They do not lock the
 * person's other sessions, because this session may be stolen. Throws `too_many`.
 */
export async function takeStepUpTry(actor: Actor): Promise<void> {
  const db = await database()
  const tries = await takeTry(db, ofSession(actor))
  const locked = isLastTry(tries) ? await takeTry(db, ofPerson(actor)) : await triesOf(db, ofPerson(actor))
  if (isAdmitted(tries) && locked <= mostLockedSessions) return
  throw new AppError('too_many', 'Too many wrong confirmations. Nothing was sent: try again in half an hour', { retryAfter: 1800 })
}

/** Resets the tries of a session after a correct proof. */
export const forgetStepUpTries = async (actor: Actor) => forgetFailures(await database(), ofSession(actor))

/** True if a password is the person's own, checked in the hash queue of the sign-in. Throws `unavailable` if that is full. */
export async function isOwnPassword(actor: Actor, password: string): Promise<boolean> {
  const db = await database()
  const [person] = await db.select({ hash: people.passwordHash }).from(people).where(eq(people.id, actor.id))
  return inHashQueue({ known: true, key: `step-up ${actor.id}` }, () => passwordFits(password, person?.hash ?? unknownPersonHash()))
}
