import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { appendAudit, recordAudit } from '@/lib/server/audit/chain'
import type { ClientOrigin } from '@/lib/server/audit/client'
import { env, getTimeSettings } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { deriveKey } from '@/lib/server/store/encryption'
import { sha256, toPseudonym } from '@/lib/server/store/hashes'
import { signInFailures, signInNetworks } from '@/lib/server/store/schema/audit'
import { sessions } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'
import type { Agent } from './agent'
import { getUnmatchableHash, isPasswordCorrect, runInHashQueue } from './passwords'
import { findPerson, type Person } from './people'

/** PCI DSS 8.3.4. Locks an email address (on unknown devices) or a known device. */
const allowedFailures = 10
const lockMinutes = 30

/**
 * A hundred failures are enough for the typing errors of several offices behind one IP address in a
 * morning. After that, six tries per minute are too few to guess passwords from a list.
 */
const maxNetworkFailures = 100
const failureDecaySeconds = 10

/** Until the stored time (`performance.now()`), the network is refused without a query. */
const refusedNetworks = new Map<string, number>()
const maxRefusedNetworks = 1000

/**
 * Counts a try of a key (an email address or a known device) as failed. Call it before the slow
 * hash, so that parallel guesses count like sequential ones. Returns the failures including this
 * one; more than `allowedFailures` while the key is locked. A try during the lock does not extend
 * it, because otherwise anyone could keep a key locked.
 */
export async function countFailedTry(db: Db, key: string): Promise<number> {
  const { failures, lastAt, lockedUntil } = signInFailures
  const isLockedNow = sql`coalesce(${lockedUntil} > now(), false)`
  const isRecent = sql`${lastAt} > now() - make_interval(mins => ${lockMinutes})`
  const lockedUntilValue = sql`case when ${isRecent} and ${failures} + 1 >= ${allowedFailures} then now() + make_interval(mins => ${lockMinutes}) end`
  const countedColumns = {
    failures: sql`case when ${isLockedNow} then ${allowedFailures + 1} when ${isRecent} then ${failures} + 1 else 1 end`,
    lockedUntil: sql`case when ${isLockedNow} then ${lockedUntil} else ${lockedUntilValue} end`,
    lastAt: sql`case when ${isLockedNow} then ${lastAt} else now() end`,
  }
  const [row] = await db
    .insert(signInFailures)
    .values({ emailHash: key, failures: 1 })
    .onConflictDoUpdate({ target: signInFailures.emailHash, set: countedColumns })
    .returning({ failures })
  return row?.failures ?? allowedFailures + 1
}

/** Only tries within the lock time count. */
export async function readFailedTries(db: Db, key: string): Promise<number> {
  const { failures, lastAt, emailHash } = signInFailures
  const recentTryCondition = sql`${lastAt} > now() - make_interval(mins => ${lockMinutes})`
  const [row] = await db
    .select({ failures })
    .from(signInFailures)
    .where(and(eq(emailHash, key), recentTryCondition))
  return row?.failures ?? 0
}

/** `failures` includes this try. */
export const isTryAllowed = (failures: number): boolean => failures <= allowedFailures

/** True if this try locks the key when it fails. `failures` includes this try. */
export const isLastTry = (failures: number): boolean => failures === allowedFailures

export const forgetFailedTries = (db: Db, key: string) =>
  db.delete(signInFailures).where(eq(signInFailures.emailHash, key))

const hashNetwork = (network: string) => toPseudonym(`network ${network}`)
const decayInterval = sql`make_interval(secs => ${failureDecaySeconds})`

const createNetworkLimitError = () => {
  const detail =
    'Too many failed sign-ins from your network. Your password was not checked: try again later'
  return new AppError('too_many', detail, { retryAfter: failureDecaySeconds })
}

/** Needs no query to the store. */
function refuseBlockedNetwork(network: string): void {
  if ((refusedNetworks.get(network) ?? 0) > performance.now()) throw createNetworkLimitError()
}

/**
 * Counts a sign-in as failed before it is checked; `giveNetworkTriesBack` takes the failure back
 * after a success. The count is stored as the time at which it will be zero. Throws `too_many`.
 */
export async function countNetworkTry(network: string): Promise<void> {
  refuseBlockedNetwork(network)
  const db = await getDatabase()
  const { wholeAt } = signInNetworks
  const decayStart = sql`greatest(${wholeAt}, now())`
  const writtenRows = await db
    .insert(signInNetworks)
    .values({ networkHash: hashNetwork(network), wholeAt: sql`now() + ${decayInterval}` })
    .onConflictDoUpdate({
      target: signInNetworks.networkHash,
      set: { wholeAt: sql`${decayStart} + ${decayInterval}` },
      setWhere: sql`${decayStart} + ${decayInterval} <= now() + make_interval(secs => ${maxNetworkFailures * failureDecaySeconds})`,
    })
    .returning({ wholeAt })
  if (writtenRows.length > 0) return
  const [oldest] = refusedNetworks.size >= maxRefusedNetworks ? refusedNetworks.keys() : []
  if (oldest !== undefined) refusedNetworks.delete(oldest)
  refusedNetworks.set(network, performance.now() + (failureDecaySeconds * 1000) / 2)
  throw createNetworkLimitError()
}

/** Call this after a sign-in succeeded: `countNetworkTry` counted it as failed. */
export const giveNetworkTriesBack = (db: Db, network: string, count = 1) =>
  db
    .update(signInNetworks)
    .set({ wholeAt: sql`${signInNetworks.wholeAt} - ${decayInterval} * ${count}::int` })
    .where(eq(signInNetworks.networkHash, hashNetwork(network)))

/** Skips locked rows, so that two processes never wait for each other. */
async function pruneSignInFailures(): Promise<number> {
  const db = await getDatabase()
  const { emailHash: key, lastAt, lockedUntil } = signInFailures
  const isPast = lt(lastAt, sql`now() - make_interval(mins => ${lockMinutes})`)
  const isUnlocked = or(isNull(lockedUntil), lt(lockedUntil, sql`now()`))
  const prunableKeys = db
    .select({ key })
    .from(signInFailures)
    .where(and(isPast, isUnlocked))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (await db.delete(signInFailures).where(inArray(key, prunableKeys)).returning({ key }))
    .length
}

async function pruneSignInNetworks(): Promise<number> {
  const db = await getDatabase()
  const { networkHash: key, wholeAt } = signInNetworks
  const isRecovered = lt(wholeAt, sql`now()`)
  const prunableNetworks = db
    .select({ key })
    .from(signInNetworks)
    .where(isRecovered)
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (await db.delete(signInNetworks).where(inArray(key, prunableNetworks)).returning({ key }))
    .length
}

export const startSignInPruning = () =>
  startPruning('sign_in_failures', [pruneSignInFailures, pruneSignInNetworks])

/** Half a year. */
const deviceLifeSeconds = 180 * 24 * 60 * 60

const isSecure = () => env().appOrigin.startsWith('https:')

/**
 * The cookie marks a browser with an earlier sign-in. It gives no access. It only distinguishes the
 * browser from strangers who try the same email address.
 */
export const getDeviceCookieName = (): string =>
  isSecure() ? '__Host-paydesk.device' : 'paydesk.device'

const signDevice = (id: string, issuedSeconds: string, emailAddress: string) =>
  createHmac('sha256', deriveKey(env().authSecret, 'known device'))
    .update(`${id}\n${issuedSeconds}\n${emailAddress}`)
    .digest()

/** `lowercaseEmail` is an email address in lowercase. */
export function createDeviceCookie(lowercaseEmail: string): string {
  const id = randomBytes(16).toString('base64url')
  const issuedSeconds = String(Math.floor(Date.now() / 1000))
  const cookieValue = `${id}.${issuedSeconds}.${signDevice(id, issuedSeconds, lowercaseEmail).toString('base64url')}`
  const cookieAttributes = [
    'Path=/',
    `Max-Age=${deviceLifeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure() ? ['Secure'] : []),
  ]
  return [`${getDeviceCookieName()}=${cookieValue}`, ...cookieAttributes].join('; ')
}

/** Null unless this installation signed the cookie for this email address within half a year. */
function findKnownDevice(cookie: string | undefined, lowercaseEmail: string): string | null {
  const [id = '', issued = '', signature = ''] = cookie?.split('.') ?? []
  const signatureBytes = Buffer.from(signature, 'base64url')
  const expectedSignature = signDevice(id, issued, lowercaseEmail)
  if (
    signatureBytes.length !== expectedSignature.length ||
    !timingSafeEqual(signatureBytes, expectedSignature)
  )
    return null
  return Number(issued) + deviceLifeSeconds > Date.now() / 1000 ? id : null
}

/** The idle limit is in `session-rows.ts`. */
const maxSessionHours = 8

export type Visitor = {
  client: ClientOrigin
  network: string
  deviceCookie: string | undefined
  agent: Agent
}

/** A store that was used with the embedded sandbox earlier still contains demo people. */
const maySignIn = (person: Person): boolean => !person.demo || env().embedded

/** Tries count for a known device, which strangers cannot lock, or for the email address. */
type TryKey = { key: string; known: boolean }

type SignInAttempt = { person: Person | null; failures: number }

/** Takes the same time for unknown, locked and disabled people: the time reveals nothing. */
async function checkSignIn(
  email: string,
  password: string,
  network: string,
  { key, known }: TryKey,
): Promise<SignInAttempt> {
  const db = await getDatabase()
  if (!known) await countNetworkTry(network)
  const failures = await countFailedTry(db, key)
  const person = await findPerson(db, email)
  const isPasswordValid = await isPasswordCorrect(
    password,
    person?.passwordHash ?? getUnmatchableHash(),
  )
  const isPersonAdmitted = person && isPasswordValid && isTryAllowed(failures) && maySignIn(person)
  return { person: isPersonAdmitted ? person : null, failures }
}

let delayedResponseCount = 0
const maxDelayedResponses = 200

/** Does not delay the response if too many responses are delayed already. */
async function delayResponse(failures: number): Promise<void> {
  if (failures < 3 || delayedResponseCount >= maxDelayedResponses) return
  delayedResponseCount += 1
  const { first, most } = getTimeSettings().pauses.failedSignIn
  await pause(Math.min(first * 2 ** (failures - 3), most))
  delayedResponseCount -= 1
}

async function refuseSignIn(
  emailHash: string,
  failures: number,
  client: ClientOrigin,
): Promise<null> {
  await recordAudit({ code: 'session.sign_in.refused', actor: null, ...client, subject: emailHash })
  log.warn({ event: 'session.sign_in.refused' })
  await delayResponse(failures)
  return null
}

type SsoColumns = { ssoAuthenticatedAt: Date | null }

/** Returns a token of 256 random bits, which only the session cookie may contain. */
export async function beginSession(
  tx: Db,
  personId: string,
  { agent, client }: Pick<Visitor, 'agent' | 'client'>,
  ssoColumns?: SsoColumns,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const idHash = sha256(token)
  await tx.insert(sessions).values({
    idHash,
    personId,
    ...agent,
    ...ssoColumns,
    expiresAt: sql`now() + make_interval(hours => ${maxSessionHours})`,
  })
  const sessionIdHash = idHash.slice(0, 16)
  await appendAudit(tx, {
    code: 'session.sign_in.applied',
    actor: personId,
    session: sessionIdHash,
    ...client,
    ...(ssoColumns ? { signed_in_by: 'sso' } : {}),
  })
  return token
}

/**
 * Returns null if the sign-in is refused. Every refusal takes the same work, so that a client
 * cannot distinguish an unknown person, a wrong password, a lock and a disabled person. Throws
 * `unavailable` if too many hashes wait, and `too_many` for a network with too many failures. In
 * both cases, no password was checked and no try was counted.
 */
export async function openSession(
  email: string,
  password: string,
  visitor: Visitor,
): Promise<{ token: string; person: Person } | null> {
  const emailAddress = email.trim().toLowerCase()
  const emailHash = toPseudonym(emailAddress)
  const deviceId = findKnownDevice(visitor.deviceCookie, emailAddress)
  const tryKey = {
    key: deviceId === null ? emailHash : toPseudonym(`device ${deviceId}`),
    known: deviceId !== null,
  }
  if (!tryKey.known) refuseBlockedNetwork(visitor.network)
  const requester = { known: tryKey.known, key: tryKey.known ? tryKey.key : visitor.network }
  const { person, failures } = await runInHashQueue(requester, () =>
    checkSignIn(email, password, visitor.network, tryKey),
  )
  if (!person) return refuseSignIn(emailHash, failures, visitor.client)
  const db = await getDatabase()
  const token = await db.transaction(async (tx) => {
    await forgetFailedTries(tx, tryKey.key)
    if (!tryKey.known) await giveNetworkTriesBack(tx, visitor.network)
    return beginSession(tx, person.id, visitor)
  })
  return { token, person }
}

/** Other instances notice the end within a second. */
export async function endSession(token: string, client: ClientOrigin): Promise<void> {
  const db = await getDatabase()
  const idHash = sha256(token)
  const [endedSession] = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(eq(sessions.idHash, idHash))
    .returning({ personId: sessions.personId })
  if (endedSession)
    await recordAudit({
      code: 'session.sign_out.applied',
      actor: endedSession.personId,
      session: idHash.slice(0, 16),
      ...client,
    })
}
