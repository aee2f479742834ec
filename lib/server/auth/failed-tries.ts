import 'server-only'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { toPseudonym } from '@/lib/server/store/hashes'
import { signInFailures, signInNetworks } from '@/lib/server/store/schema/audit'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { pruneBatchSize, startPruning } from '@/lib/server/store/upkeep'

/**
 * After ten failed tries, an email address (on unknown devices) or a known device is locked for
 * half an hour, as PCI DSS 8.3.4 requires.
 */
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
export async function recordFailedTry(db: Db, key: string): Promise<number> {
  const { failures, lastAt, lockedUntil } = signInFailures
  const lockedCondition = sql`coalesce(${lockedUntil} > now(), false)`
  const recentFailureCondition = sql`${lastAt} > now() - make_interval(mins => ${lockMinutes})`
  const lockedUntilValue = sql`case when ${recentFailureCondition} and ${failures} + 1 >= ${allowedFailures} then now() + make_interval(mins => ${lockMinutes}) end`
  const countedColumns = {
    failures: sql`case when ${lockedCondition} then ${allowedFailures + 1} when ${recentFailureCondition} then ${failures} + 1 else 1 end`,
    lockedUntil: sql`case when ${lockedCondition} then ${lockedUntil} else ${lockedUntilValue} end`,
    lastAt: sql`case when ${lockedCondition} then ${lastAt} else now() end`,
  }
  const [row] = await db
    .insert(signInFailures)
    .values({ emailHash: key, failures: 1 })
    .onConflictDoUpdate({ target: signInFailures.emailHash, set: countedColumns })
    .returning({ failures })
  return row?.failures ?? allowedFailures + 1
}

/** Returns the failed tries of the key; 0 if the last one was more than half an hour ago. */
export async function readFailedTries(db: Db, key: string): Promise<number> {
  const { failures, lastAt, emailHash } = signInFailures
  const recentTryCondition = sql`${lastAt} > now() - make_interval(mins => ${lockMinutes})`
  const [row] = await db
    .select({ failures })
    .from(signInFailures)
    .where(and(eq(emailHash, key), recentTryCondition))
  return row?.failures ?? 0
}

/** `failures` includes the try that is checked now. */
export const isTryAllowed = (failures: number): boolean => failures <= allowedFailures

/** True if the current try locks the key when it fails. `failures` includes the current try. */
export const isLastTry = (failures: number): boolean => failures === allowedFailures

export const forgetFailedTries = (db: Db, key: string) =>
  db.delete(signInFailures).where(eq(signInFailures.emailHash, key))

const hashNetwork = (network: string) => toPseudonym(`network ${network}`)
const decayInterval = sql`make_interval(secs => ${failureDecaySeconds})`

const createNetworkLimitError = () => {
  const networkLimitText =
    'Too many failed sign-ins from your network. Your password was not checked: try again later'
  return new AppError('too_many', networkLimitText, { retryAfter: failureDecaySeconds })
}

/**
 * Throws `too_many` for a blocked network without a query to the store, so that a flood of requests
 * costs little.
 */
export function refuseBlockedNetwork(network: string): void {
  if ((refusedNetworks.get(network) ?? 0) > performance.now()) throw createNetworkLimitError()
}

/**
 * Counts a sign-in as failed before it is checked; `giveNetworkTriesBack` takes the failure back
 * after a success. The count is stored as the time at which it will be zero. Throws `too_many`.
 */
export async function recordNetworkTry(network: string): Promise<void> {
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

/** Call this after a sign-in succeeded: `recordNetworkTry` counted it as failed. */
export const giveNetworkTriesBack = (db: Db, network: string, count = 1) =>
  db
    .update(signInNetworks)
    .set({ wholeAt: sql`${signInNetworks.wholeAt} - ${decayInterval} * ${count}::int` })
    .where(eq(signInNetworks.networkHash, hashNetwork(network)))

/** Skips locked rows, so that two processes never wait for each other. */
async function pruneSignInFailures(): Promise<number> {
  const db = await getDatabase()
  const { emailHash: key, lastAt, lockedUntil } = signInFailures
  const pastFailureCondition = lt(lastAt, sql`now() - make_interval(mins => ${lockMinutes})`)
  const unlockedCondition = or(isNull(lockedUntil), lt(lockedUntil, sql`now()`))
  const prunableKeys = db
    .select({ key })
    .from(signInFailures)
    .where(and(pastFailureCondition, unlockedCondition))
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (await db.delete(signInFailures).where(inArray(key, prunableKeys)).returning({ key }))
    .length
}

async function pruneSignInNetworks(): Promise<number> {
  const db = await getDatabase()
  const { networkHash: key, wholeAt } = signInNetworks
  const recoveredCondition = lt(wholeAt, sql`now()`)
  const prunableNetworks = db
    .select({ key })
    .from(signInNetworks)
    .where(recoveredCondition)
    .limit(pruneBatchSize)
    .for('update', { skipLocked: true })
  return (await db.delete(signInNetworks).where(inArray(key, prunableNetworks)).returning({ key }))
    .length
}

export const startSignInPruning = () =>
  startPruning('sign_in_failures', [pruneSignInFailures, pruneSignInNetworks])
