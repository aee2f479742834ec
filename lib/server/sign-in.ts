import 'server-only'
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { appendAudit, recordAudit } from './audit/chain'
import type { Client } from './audit/client'
import { env } from './env'
import { log } from './log'
import { nobodysHash, passwordFits } from './passwords'
import { findPerson, type Person } from './people'
import { pseudonym } from './pseudonym'
import { sha256 } from './sha256'
import { sessions, signInFailures } from './store/schema'
import { type Db, database } from './store/store'

/** Failures after which an address is locked, and for how long. */
const allowedFailures = 10
const lockMinutes = 30
/** A session ends after this long whatever happens; the idle limit stands in `session-rows`. */
const absoluteHours = 8

/**
 * Takes one of an address's tries before the slow hash, so that guesses made at once stand in line like guesses made one by one. A success gives
 * them all back. False while the address is locked; then its lock does not move: otherwise anyone could keep it locked by going on.
 */
async function takeTry(db: Db, emailHash: string): Promise<boolean> {
  const { failures, lastAt, lockedUntil } = signInFailures
  const isLockedNow = sql`coalesce(${lockedUntil} > now(), false)`
  const recent = sql`${lastAt} > now() - make_interval(mins => ${lockMinutes})`
  const lock = sql`case when ${recent} and ${failures} + 1 >= ${allowedFailures} then now() + make_interval(mins => ${lockMinutes}) end`
  const counted = {
    failures: sql`case when ${isLockedNow} then ${allowedFailures + 1} when ${recent} then ${failures} + 1 else 1 end`,
    lockedUntil: sql`case when ${isLockedNow} then ${lockedUntil} else ${lock} end`,
    lastAt: sql`case when ${isLockedNow} then ${lastAt} else now() end`,
  }
  const [row] = await db
    .insert(signInFailures)
    .values({ emailHash, failures: 1 })
    .onConflictDoUpdate({ target: signInFailures.emailHash, set: counted })
    .returning({ failures })
  return row !== undefined && row.failures <= allowedFailures
}

/** Demo people may enter only beside the embedded sandbox, even if an old data folder still has them. */
const mayEnter = (person: Person): boolean => !person.demo || env().embedded

/**
 * Checks an address and a password and opens a session. Gives the session's token (256 random bits, to be kept in the cookie and nowhere
 * else) with its person, or null for every kind of refusal, after the same work: unknown, wrong, locked and disabled look alike.
 */
export async function openSession(email: string, password: string, client: Client): Promise<{ token: string; person: Person } | null> {
  const db = await database()
  const emailHash = pseudonym(email.trim().toLowerCase())
  const person = await findPerson(db, email)
  const admitted = await takeTry(db, emailHash)
  const fits = await passwordFits(password, person?.passwordHash ?? nobodysHash)
  if (!person || !fits || !admitted || !mayEnter(person)) {
    await recordAudit({ code: 'session.sign_in.refused', actor: null, ...client, subject: emailHash })
    log.warn({ event: 'session.sign_in.refused' })
    return null
  }
  const token = randomBytes(32).toString('base64url')
  const idHash = sha256(token)
  await db.transaction(async (tx) => {
    await tx.delete(signInFailures).where(eq(signInFailures.emailHash, emailHash))
    await tx.insert(sessions).values({ idHash, personId: person.id, expiresAt: sql`now() + make_interval(hours => ${absoluteHours})` })
    await appendAudit(tx, { code: 'session.sign_in.applied', actor: person.id, session: idHash.slice(0, 16), ...client })
  })
  return { token, person }
}

/** Ends a session at once, on every instance within a second. An unknown token is nothing to end. */
export async function endSession(token: string, client: Client): Promise<void> {
  const db = await database()
  const idHash = sha256(token)
  const [ended] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(eq(sessions.idHash, idHash))
    .returning({ personId: sessions.personId })
  if (ended) await recordAudit({ code: 'session.sign_out.applied', actor: ended.personId, session: idHash.slice(0, 16), ...client })
}
