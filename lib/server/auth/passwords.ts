import 'server-only'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { getTimeSettings } from '@/lib/server/config/env'
import { isCommonPassword } from './common-passwords'

/**
 * Each hash takes some 0.4 s and 128 MiB on purpose. Requests beyond these limits are refused,
 * because they would be served too late.
 */
const maxRunningHashes = 2
const maxWaitingHashes = 20

/**
 * `known` is true for a device with an earlier sign-in: such requests have their own queue. `key`
 * is the device or, if it is unknown, its network. Keys take turns within a queue.
 */
type HashRequester = { known: boolean; key: string }

type HashWaiter = { go: () => void; refuse: (error: AppError) => void }
/** Waiting requests by the key of their requester. The first key has the next turn. */
type HashQueue = Map<string, HashWaiter[]>

let runningHashCount = 0
const hashQueues = { known: new Map() as HashQueue, unknown: new Map() as HashQueue }

const createQueueFullError = () =>
  new AppError(
    'unavailable',
    'Too many sign-ins at once. Your password was not checked: try again in a few seconds',
    { retryAfter: 2 },
  )

const countWaiters = (queue: HashQueue) =>
  [...queue.values()].reduce((sum, waiters) => sum + waiters.length, 0)

/**
 * Refuses the last request of the key with the most waiting requests. Returns false, and refuses
 * nothing, if no other key has more requests than `key` would have.
 */
function makeQueueRoom(queue: HashQueue, key: string): boolean {
  const [longest = '', waiters = []] = [...queue].reduce(
    (most, entry) => (entry[1].length > most[1].length ? entry : most),
    ['', []] as [string, HashWaiter[]],
  )
  if (waiters.length <= (queue.get(key)?.length ?? 0) + 1) return false
  waiters.pop()?.refuse(createQueueFullError())
  if (waiters.length === 0) queue.delete(longest)
  return true
}

function takeNextWaiter(queue: HashQueue): HashWaiter | undefined {
  const [first] = queue
  if (!first) return undefined
  const [key, waiters] = first
  const waiter = waiters.shift()
  queue.delete(key)
  if (waiters.length > 0) queue.set(key, waiters)
  return waiter
}

function enterHashQueue({ known, key }: HashRequester): Promise<void> | undefined {
  if (runningHashCount < maxRunningHashes) {
    runningHashCount += 1
    return undefined
  }
  const requesterQueue = known ? hashQueues.known : hashQueues.unknown
  if (countWaiters(requesterQueue) >= maxWaitingHashes && !makeQueueRoom(requesterQueue, key))
    throw createQueueFullError()
  return new Promise<void>((go, refuse) => {
    requesterQueue.set(key, [...(requesterQueue.get(key) ?? []), { go, refuse }])
  })
}

function leaveHashQueue(): void {
  const nextWaiter = takeNextWaiter(hashQueues.known) ?? takeNextWaiter(hashQueues.unknown)
  if (nextWaiter) nextWaiter.go()
  else runningHashCount -= 1
}

/**
 * Known devices go first. Unknown devices take turns by network, so that a network that fills the
 * queue delays only itself. If the queue is full, throws `unavailable` with the seconds to wait,
 * and does not run the work.
 */
export async function runInHashQueue<T>(
  requester: HashRequester,
  work: () => Promise<T>,
): Promise<T> {
  const queueTurn = enterHashQueue(requester)
  if (queueTurn) await queueTurn
  try {
    return await work()
  } finally {
    leaveHashQueue()
  }
}

/** An exponent of two, low because the password is public. */
const publicPasswordCost = 10

/** Costs that stored hashes can have, as exponents of two. */
const knownCosts: ReadonlySet<string> = new Set(['17', '10'])

const deriveKey = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(
      password.normalize('NFKC'),
      salt,
      32,
      { N: 2 ** cost, r: 8, p: 1, maxmem: 256 * 2 ** 20 },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  )

async function hashWithCost(cost: number, password: string): Promise<string> {
  const salt = randomBytes(16)
  const derivedKey = await deriveKey(password, salt, cost)
  return `scrypt$${cost}$${salt.toString('base64')}$${derivedKey.toString('base64')}`
}

/** Returns `scrypt$17$<salt>$<key>`, both base64. Throws `unavailable` if too many hashes wait. */
export const hashPassword = (password: string): Promise<string> =>
  runInHashQueue({ known: true, key: 'new password' }, () =>
    hashWithCost(getTimeSettings().hashes.cost, password),
  )

/** For a password that is shown on the sign-in page. */
export const hashPublicPassword = (password: string): Promise<string> =>
  hashWithCost(publicPasswordCost, password)

/**
 * A hash that no password matches. The sign-in of an unknown person is checked against it, so that
 * the response takes as long as for a known person.
 */
export const getUnmatchableHash = (): string =>
  `scrypt$${getTimeSettings().hashes.cost}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

/** Slow: call it only in `runInHashQueue`. False if the hash is unreadable. */
export async function isPasswordCorrect(password: string, storedHash: string): Promise<boolean> {
  const [kind, cost = '', salt, key] = storedHash.split('$')
  if (kind !== 'scrypt' || !knownCosts.has(cost) || !salt || !key) return false
  const expectedKey = Buffer.from(key, 'base64')
  const actualKey = await deriveKey(password, Buffer.from(salt, 'base64'), Number(cost))
  return expectedKey.length === actualKey.length && timingSafeEqual(expectedKey, actualKey)
}

export function findPasswordFault(password: string): string | null {
  if (password.length < 12) return 'Must be at least 12 characters.'
  if (password.length > 128) return 'Must be at most 128 characters.'
  if (new Set(password).size < 5) return 'Use more different characters.'
  return isCommonPassword(password)
    ? 'This password is among those attackers guess first. Choose another.'
    : null
}
