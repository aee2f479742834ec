import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { inHashQueue, passwordFits, unknownPersonHash } from '@/lib/server/auth/passwords'
import type { Actor } from '@/lib/server/auth/session-rows'
import { forgetFailures, isAdmitted, takeTry } from '@/lib/server/auth/sign-in'
import { pseudonym } from '@/lib/server/store/hashes'
import { people } from '@/lib/server/store/schema'
import { database } from '@/lib/server/store/store'

const keyOf = (personId: string) => pseudonym(`step-up ${personId}`)

/**
 * Takes one of the tries of a person's confirmations, whichever session and question they are for: ten wrong ones lock them for half an hour, as at
 * sign-in. Throws `too_many`.
 */
export async function takeStepUpTry(actor: Actor): Promise<void> {
  const db = await database()
  if (isAdmitted(await takeTry(db, keyOf(actor.id)))) return
  throw new AppError('too_many', 'Too many wrong confirmations. Nothing was sent: try again in half an hour', { retryAfter: 1800 })
}

/** Gives a person all their tries back, after one that was right. */
export const forgetStepUpTries = async (actor: Actor) => forgetFailures(await database(), keyOf(actor.id))

/** Whether a password is the person's own, in the hash queue of the sign-in. Throws `unavailable` where that is full. */
export async function isOwnPassword(actor: Actor, password: string): Promise<boolean> {
  const db = await database()
  const [person] = await db.select({ hash: people.passwordHash }).from(people).where(eq(people.id, actor.id))
  return inHashQueue({ known: true, key: `step-up ${actor.id}` }, () => passwordFits(password, person?.hash ?? unknownPersonHash()))
}
