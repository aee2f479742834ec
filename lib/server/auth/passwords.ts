import 'server-only'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '@/lib/errors'
import { times } from '@/lib/server/config/env'
import { isCommonPassword } from './common-passwords'

/** Hashes that run at once. Each takes some 0.4 s and 128 MiB on purpose. A long queue refuses requests instead of serving them late. */
const maxRunningHashes = 2
const maxWaitingHashes = 20

/**
 * The place of a request for a hash in the queues. `key` is its device or its network. Devices known from an earlier sign-in (`known`) have
 * a queue of their own.
 */
type HashRequester = { known: boolean; key: string }

type HashWaiter = { go: () => void; refuse: (error: AppError) => void }
/** Waiting requests by key. The first key has the next turn. */
type HashQueue = Map<string, HashWaiter[]>

let runningCount = 0
const queues = { known: new Map() as HashQueue, unknown: new Map() as HashQueue }

const createQueueFullError = () =>
  new AppError('unavailable', 'Too many sign-ins at once. Your password was not checked: try again in a few seconds', { retryAfter: 2 })

const countWaiting = (queue: HashQueue) => [...queue.values()].reduce((sum, waiters) => sum + waiters.length, 0)

/**
 * Makes room in a full queue for one more request of this key: refuses the last request of the key that has the most. Returns false if no
 * key has more than this key would have.
 */
function makeRoom(queue: HashQueue, key: string): boolean {
  const [longest = '', waiters = []] = [...queue].reduce((most, entry) => (entry[1].length > most[1].length ? entry : most), ['', []] as [
    string,
    HashWaiter[],
  ])
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

function enterQueue({ known, key }: HashRequester): Promise<void> | undefined {
  if (runningCount < maxRunningHashes) {
    runningCount += 1
    return undefined
  }
  const queue = known ? queues.known : queues.unknown
  if (countWaiting(queue) >= maxWaitingHashes && !makeRoom(queue, key)) throw createQueueFullError()
  return new Promise<void>((go, refuse) => {
    queue.set(key, [...(queue.get(key) ?? []), { go, refuse }])
  })
}

function leaveQueue(): void {
  const nextWaiter = takeNextWaiter(queues.known) ?? takeNextWaiter(queues.unknown)
  if (nextWaiter) nextWaiter.go()
  else runningCount -= 1
}

/**
 * Runs hashing work when its turn comes. Known devices go first. Unknown devices take turns by network, so that a network that fills the
 * queue only delays itself. Throws `unavailable` with the seconds to wait if the queue is full; nothing was done then.
 */
export async function runInHashQueue<T>(requester: HashRequester, work: () => Promise<T>): Promise<T> {
  const queueTurn = enterQueue(requester)
  if (queueTurn) await queueTurn
  try {
    return await work()
  } finally {
    leaveQueue()
  }
}

/** Cost of the hash of a public password, as the exponent of a power of two. */
const publicPasswordCost = 10

/** Costs that stored hashes can have, as exponents of a power of two. */
const knownCosts: ReadonlySet<string> = new Set(['17', '10'])

const deriveKey = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, 32, { N: 2 ** cost, r: 8, p: 1, maxmem: 256 * 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

async function hashWithCost(cost: number, password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, cost)
  return `scrypt$${cost}$${salt.toString('base64')}$${key.toString('base64')}`
}

/** Returns the hash of a password as it is stored: `scrypt$17$<salt>$<key>`, both base64. Throws `unavailable` if too many hashes wait. */
export const hashPassword = (password: string): Promise<string> =>
  runInHashQueue({ known: true, key: 'new password' }, () => hashWithCost(times().hashes.cost, password))

/** Returns the hash of a password that is shown on the sign-in page. */
export const hashPublicPassword = (password: string): Promise<string> => hashWithCost(publicPasswordCost, password)

/**
 * Returns a hash that no password matches. The sign-in of an unknown person checks the password against it, so that it takes as long as
 * that of a known person.
 */
export const getUnknownPersonHash = (): string =>
  `scrypt$${times().hashes.cost}$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

/** True if a password matches a stored hash; false if the hash is unreadable. Must run in `runInHashQueue`. */
export async function isPasswordCorrect(password: string, storedHash: string): Promise<boolean> {
  const [kind, cost = '', salt, key] = storedHash.split('$')
  if (kind !== 'scrypt' || !knownCosts.has(cost) || !salt || !key) return false
  const expected = Buffer.from(key, 'base64')
  const actual = await deriveKey(password, Buffer.from(salt, 'base64'), Number(cost))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Returns why a new password is too weak, or null. It needs 12 to 128 characters, five of them different, and must not be common. */
export function whyWeak(password: string): string | null {
  if (password.length < 12) return 'password: must be at least 12 characters'
  if (password.length > 128) return 'password: must be at most 128 characters'
  if (new Set(password).size < 5) return 'password: use more different characters'
  return isCommonPassword(password) ? 'password: is among those that attackers guess first; choose another' : null
}
