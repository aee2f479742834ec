import 'server-only'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { appendAudit, recordAudit } from './audit/chain'
import type { Client } from './audit/client'
import { env } from './env'
import { inHashQueue } from './hash-queue'
import { knownDevice } from './known-device'
import { log } from './log'
import { nobodysHash, passwordFits } from './passwords'
import { findPerson, type Person } from './people'
import { pseudonym } from './pseudonym'
import { sha256 } from './sha256'
import { forgetFailures, giveNetworkTryBack, isAdmitted, refuseTired, takeNetworkTry, takeTry } from './sign-in-limits'
import { sessions } from './store/schema'
import { database } from './store/store'

/** A session ends after this long whatever happens; the idle limit stands in `session-rows`. */
const absoluteHours = 8

/** From where somebody tries to sign in: as audit rows name it, their network, and the cookie of a known device if they have one. */
export type Visitor = { client: Client; network: string; deviceCookie: string | undefined }

/** Demo people may enter only beside the embedded sandbox, even if an old data folder still has them. */
const mayEnter = (person: Person): boolean => !person.demo || env().embedded

/** Whose tries are counted: a known device's own, so that strangers who try the address cannot lock it; else those of the address. */
type Counted = { key: string; known: boolean }

type Tried = { person: Person | null; failures: number }

/** One try, in its turn of the hash queue. The work is the same for everybody, unknown, locked and disabled people included. */
async function attempt(email: string, password: string, network: string, { key, known }: Counted): Promise<Tried> {
  const db = await database()
  if (!known) await takeNetworkTry(db, network)
  const failures = await takeTry(db, key)
  const person = await findPerson(db, email)
  const fits = await passwordFits(password, person?.passwordHash ?? nobodysHash)
  const admitted = person && fits && isAdmitted(failures) && mayEnter(person)
  return { person: admitted ? person : null, failures }
}

let delayed = 0
const mostDelayed = 200

/** From the third failure on the answer comes later each time, up to 1.6 s. Nothing is held meanwhile but the connection, and not too many of those. */
async function slowDown(failures: number): Promise<void> {
  if (failures < 3 || delayed >= mostDelayed) return
  delayed += 1
  await pause(Math.min(100 * 2 ** (failures - 3), 1600))
  delayed -= 1
}

async function refuse(emailHash: string, failures: number, client: Client): Promise<null> {
  await recordAudit({ code: 'session.sign_in.refused', actor: null, ...client, subject: emailHash })
  log.warn({ event: 'session.sign_in.refused' })
  await slowDown(failures)
  return null
}

/**
 * Checks an address and a password and opens a session. Gives the session's token (256 random bits, to be kept in the cookie and nowhere
 * else) with its person, or null for every kind of refusal, after the same work: unknown, wrong, locked and disabled look alike. Throws
 * `unavailable` when too many hashes wait and `too_many` for a network with too many failures; then nothing was looked at and no try is counted.
 */
export async function openSession(email: string, password: string, visitor: Visitor): Promise<{ token: string; person: Person } | null> {
  const address = email.trim().toLowerCase()
  const emailHash = pseudonym(address)
  const device = knownDevice(visitor.deviceCookie, address)
  const counted = { key: device === null ? emailHash : pseudonym(`device ${device}`), known: device !== null }
  if (!counted.known) refuseTired(visitor.network)
  const lane = { known: counted.known, key: counted.known ? counted.key : visitor.network }
  const { person, failures } = await inHashQueue(lane, () => attempt(email, password, visitor.network, counted))
  if (!person) return refuse(emailHash, failures, visitor.client)
  const db = await database()
  const token = randomBytes(32).toString('base64url')
  const idHash = sha256(token)
  await db.transaction(async (tx) => {
    await forgetFailures(tx, counted.key)
    if (!counted.known) await giveNetworkTryBack(tx, visitor.network)
    await tx.insert(sessions).values({ idHash, personId: person.id, expiresAt: sql`now() + make_interval(hours => ${absoluteHours})` })
    await appendAudit(tx, { code: 'session.sign_in.applied', actor: person.id, session: idHash.slice(0, 16), ...visitor.client })
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
