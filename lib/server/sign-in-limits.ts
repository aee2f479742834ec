import 'server-only'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { log } from './log'
import { pseudonym } from './pseudonym'
import { signInFailures, signInNetworks } from './store/sign-in-schema'
import { type Db, database } from './store/store'

/** Failures after which an address (from unknown devices) or a known device is locked, and for how long: PCI DSS 8.3.4. */
const allowedFailures = 10
const lockMinutes = 30

/**
 * Failures a network may have in store, and the seconds after which one of them is forgotten. A hundred let the offices behind one address
 * mistype for a whole morning; six a minute afterwards make a list of guesses useless.
 */
const networkFailures = 100
const forgottenAfter = 10

/** How long failures are kept that no longer count for anything, and how many rows go at once. */
const pruneEvery = 10 * 60_000
const prunedAtOnce = 5000

/** Networks that were just refused, by the clock of `performance`: they are refused again without asking the store. */
const refused = new Map<string, number>()
const remembered = 1000

/**
 * Takes one of the tries of a key (an address or a known device) before the slow hash, so that guesses made at once stand in line like guesses
 * made one by one. A success gives them all back. Gives how many failures that makes; more than `allowed` while the key is locked. Its lock does
 * not move then: otherwise anyone could keep it locked by going on.
 */
export async function takeTry(db: Db, key: string): Promise<number> {
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
    .values({ emailHash: key, failures: 1 })
    .onConflictDoUpdate({ target: signInFailures.emailHash, set: counted })
    .returning({ failures })
  return row?.failures ?? allowedFailures + 1
}

/** Whether this many failures still leave the try that was just taken. */
export const isAdmitted = (failures: number): boolean => failures <= allowedFailures

/** Gives an address or a device all its tries back. */
export const forgetFailures = (db: Db, key: string) => db.delete(signInFailures).where(eq(signInFailures.emailHash, key))

const hashOf = (network: string) => pseudonym(`network ${network}`)
const step = sql`make_interval(secs => ${forgottenAfter})`

const tired = () => {
  const detail = 'Too many failed sign-ins from your network. Your password was not checked: try again in a while'
  return new AppError('too_many', detail, { retryAfter: forgottenAfter })
}

/** Refuses a network that was refused a moment ago. Throws `too_many`. */
export function refuseTired(network: string): void {
  if ((refused.get(network) ?? 0) > performance.now()) throw tired()
}

/**
 * Takes one of a network's failures before it has happened; a success gives it back. The bucket is one time: when it will be empty again.
 * Throws `too_many`.
 */
export async function takeNetworkTry(db: Db, network: string): Promise<void> {
  const { wholeAt } = signInNetworks
  const from = sql`greatest(${wholeAt}, now())`
  const taken = await db
    .insert(signInNetworks)
    .values({ networkHash: hashOf(network), wholeAt: sql`now() + ${step}` })
    .onConflictDoUpdate({
      target: signInNetworks.networkHash,
      set: { wholeAt: sql`${from} + ${step}` },
      setWhere: sql`${from} + ${step} <= now() + make_interval(secs => ${networkFailures * forgottenAfter})`,
    })
    .returning({ wholeAt })
  if (taken.length > 0) return
  const [oldest] = refused.size >= remembered ? refused.keys() : []
  if (oldest !== undefined) refused.delete(oldest)
  refused.set(network, performance.now() + (forgottenAfter * 1000) / 2)
  throw tired()
}

/** Gives a network the failure back that did not happen. */
export const giveNetworkTryBack = (db: Db, network: string) =>
  db
    .update(signInNetworks)
    .set({ wholeAt: sql`${signInNetworks.wholeAt} - ${step}` })
    .where(eq(signInNetworks.networkHash, hashOf(network)))

async function prune(): Promise<void> {
  const db = await database()
  const past = lt(signInFailures.lastAt, sql`now() - make_interval(mins => ${lockMinutes})`)
  const open = or(isNull(signInFailures.lockedUntil), lt(signInFailures.lockedUntil, sql`now()`))
  const failures = db.select({ key: signInFailures.emailHash }).from(signInFailures).where(and(past, open)).limit(prunedAtOnce)
  await db.delete(signInFailures).where(inArray(signInFailures.emailHash, failures))
  const whole = lt(signInNetworks.wholeAt, sql`now()`)
  const networks = db.select({ key: signInNetworks.networkHash }).from(signInNetworks).where(whole).limit(prunedAtOnce)
  await db.delete(signInNetworks).where(inArray(signInNetworks.networkHash, networks))
}

/** Begins to let go of failures that no longer count, now and every ten minutes. */
export function startSignInLimits(): { stop: () => void } {
  const run = () => void prune().catch(() => log.warn({ event: 'sign_in_failures.not_pruned' }))
  run()
  const timer = setInterval(run, pruneEvery)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
