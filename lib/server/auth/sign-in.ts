import 'server-only'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { appendAudit, recordAudit } from '@/lib/server/audit/chain'
import type { ClientOrigin } from '@/lib/server/audit/client'
import { env, getTimeSettings } from '@/lib/server/config/env'
import { log } from '@/lib/server/log'
import { deriveKey } from '@/lib/server/store/encryption'
import { sha256, toPseudonym } from '@/lib/server/store/hashes'
import { sessions } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import type { UserAgentInfo } from './agent'
import {
  forgetFailedTries,
  giveNetworkTriesBack,
  isTryAllowed,
  recordFailedTry,
  recordNetworkTry,
  refuseBlockedNetwork,
} from './failed-tries'
import { getUnmatchableHash, isPasswordCorrect, runInHashQueue } from './passwords'
import { findPerson, type Person } from './people'

/** Half a year. */
const deviceLifeSeconds = 180 * 24 * 60 * 60

const isHttpsOrigin = () => env().appOrigin.startsWith('https:')

/**
 * The cookie marks a browser with an earlier sign-in. It gives no access. It only distinguishes the
 * browser from strangers who try the same email address.
 */
export const getDeviceCookieName = (): string =>
  isHttpsOrigin() ? '__Host-paydesk.device' : 'paydesk.device'

const signDevice = (id: string, issuedSeconds: string, emailAddress: string) =>
  createHmac('sha256', deriveKey(env().authSecret, 'known device'))
    .update(`${id}\n${issuedSeconds}\n${emailAddress}`)
    .digest()

export function createDeviceCookie(lowercaseEmail: string): string {
  const id = randomBytes(16).toString('base64url')
  const issuedSeconds = String(Math.floor(Date.now() / 1000))
  const cookieValue = `${id}.${issuedSeconds}.${signDevice(id, issuedSeconds, lowercaseEmail).toString('base64url')}`
  const cookieAttributes = [
    'Path=/',
    `Max-Age=${deviceLifeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttpsOrigin() ? ['Secure'] : []),
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
  agent: UserAgentInfo
}

/**
 * Demo people may sign in only with the embedded sandbox. A store that was once used with it still
 * contains them, and their password is public.
 */
const maySignIn = (person: Person): boolean => !person.demo || env().embedded

/**
 * The key under which failed tries are counted: a known device, which strangers cannot lock, or
 * otherwise the email address.
 */
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
  if (!known) await recordNetworkTry(network)
  const failureCount = await recordFailedTry(db, key)
  const person = await findPerson(db, email)
  const isPasswordValid = await isPasswordCorrect(
    password,
    person?.passwordHash ?? getUnmatchableHash(),
  )
  const isPersonAdmitted =
    person && isPasswordValid && isTryAllowed(failureCount) && maySignIn(person)
  return { person: isPersonAdmitted ? person : null, failures: failureCount }
}

let delayedResponseCount = 0
const maxDelayedResponses = 200

/**
 * Delays the response to a failed sign-in, longer with each failure. If too many responses are
 * delayed already, this one is not.
 */
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

type SsoSessionColumns = { ssoAuthenticatedAt: Date | null }

/** Returns a token of 256 random bits, which only the session cookie may contain. */
export async function beginSession(
  tx: Db,
  personId: string,
  { agent, client }: Pick<Visitor, 'agent' | 'client'>,
  ssoColumns?: SsoSessionColumns,
): Promise<string> {
  const sessionToken = randomBytes(32).toString('base64url')
  const idHash = sha256(sessionToken)
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
  return sessionToken
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
  const hashRequester = { known: tryKey.known, key: tryKey.known ? tryKey.key : visitor.network }
  const { person, failures } = await runInHashQueue(hashRequester, () =>
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
