import 'server-only'
import * as z from 'zod'
import { parseVariables, type Variables } from './parse'
import { createListShape, isOnThisMachine } from './setting-forms'

/** Cost of password hashes in tests: `scrypt` at 2^10. */
const cheapHashes = { cost: 10 }

/**
 * Times that tests can shorten, by naming their group in `TEST_TIMES`. Milliseconds, except `bytes`
 * and `cost`.
 */
const timeGroups = {
  pauses: {
    /** Before each quick replay of a write, in the same HTTP request. */
    replays: [1000, 3000],
    /**
     * Between two reads of a session and its roles. This is the maximum delay until another
     * instance's sign-out is noticed.
     */
    session: 1000,
    /**
     * Between two polls for open actions while no action is open. A new action is nevertheless
     * checked within a second.
     */
    idleResolver: 10_000,
    /**
     * Before the response to a third failed sign-in. Doubles with each further failure, up to
     * `most`.
     */
    failedSignIn: { first: 100, most: 1600 },
  },
  /** The cost of a password hash, as the exponent of a power of two. */
  hashes: { cost: 17 },
  /**
   * The payments service: timeouts of the connection, and of the response headers of a read and a
   * write. No quick replay of a write starts later than `replays`. That is shorter than `write`, so
   * a write that got no response headers is not replayed at once.
   */
  responseHeaders: { connect: 3000, read: 10_000, write: 20_000, replays: 15_000 },
  /** Maximum pause between two parts of a response body from the service. */
  responseBody: { silence: 5000 },
  /** Maximum total time of a read, a write and an upload at the payments service. */
  exchange: { read: 15_000, write: 30_000, upload: 60_000 },
  /**
   * Timeout of the request headers, interval at which that timeout is checked, and timeout of the
   * first part of a form.
   */
  requestStart: { headers: 15_000, check: 5000, form: 5000 },
  /**
   * Timeout of a request body, and of the rest of a body after a response that was sent before the
   * body ended.
   */
  requestBody: { whole: 30_000, rest: 10_000 },
  /**
   * An uploaded file: minimum `bytes` per `stretch` of waiting for the sender, total time, and the
   * wait for a slot (`place`).
   */
  upload: { stretch: 10_000, bytes: 160_000, whole: 120_000, place: 15_000 },
  /** Maximum time of the check of a file's content. */
  fileCheck: { whole: 20_000 },
}

type TimeGroup = keyof typeof timeGroups
const groupNames = Object.keys(timeGroups) as TimeGroup[]

/**
 * Seconds until each check of an action with an unknown outcome; after the last, hourly. Tests
 * cannot shorten them, because an action that settles by itself would race with the test. Tests set
 * `next_check_at` instead.
 */
const schedule = { delays: [5, 15, 60, 300, 900], hourly: 3600 }

export type Times = typeof timeGroups & { schedule: typeof schedule }

type NestedNumbers = number | readonly NestedNumbers[] | { readonly [name: string]: NestedNumbers }

function divideByTen(value: NestedNumbers): NestedNumbers {
  if (typeof value === 'number') return value / 10
  if (Array.isArray(value)) return value.map(divideByTen)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, divideByTen(inner)]),
  )
}

const shortenGroup = (name: TimeGroup): NestedNumbers =>
  name === 'hashes' ? cheapHashes : divideByTen(timeGroups[name])

/**
 * Returns the times of a server. Divides the times of the groups in `shortGroups` by ten; the group
 * `hashes` gets a low cost instead. A test should shorten only the one deadline for which it waits:
 * a busy machine misses short deadlines, and could miss another one first.
 */
export const createTimes = (shortGroups: readonly TimeGroup[]): Times =>
  ({
    ...timeGroups,
    ...Object.fromEntries(shortGroups.map((name) => [name, shortenGroup(name)])),
    schedule,
  }) as Times

const urlNames = [
  'APP_ORIGIN',
  'SERVICE_SANDBOX_URL',
  'SERVICE_PRODUCTION_URL',
  'EMBEDDED_SANDBOX_URL',
  'DATABASE_URL',
  'SMTP_URL',
  'OIDC_DISCOVERY_URL',
] as const

export const timesShape = z.object({
  TEST_TIMES: createListShape(z.string()).pipe(
    z.array(z.enum(groupNames, `must be a list of ${groupNames.join(', ')}`)),
  ),
})

type CheckedVariables = z.output<typeof timesShape> &
  Partial<Record<(typeof urlNames)[number], string | undefined>>

/**
 * Rejects short times unless every address is on this machine, because the cheap password hashes
 * that belong to them are easy to break.
 */
export function checkTimes(value: CheckedVariables, context: z.RefinementCtx): void {
  const addIssue = (why: string) =>
    context.addIssue({
      code: 'custom',
      path: ['TEST_TIMES'],
      message: `must not be set: it is for tests on one machine, and ${why}`,
    })
  if (value.TEST_TIMES.length === 0) return
  const remoteName = urlNames.find(
    (name) => value[name] !== undefined && !isOnThisMachine(value[name]),
  )
  if (remoteName) addIssue(`${remoteName} is on another`)
  else if (!value.APP_ORIGIN) addIssue('APP_ORIGIN is not set')
}

const timesAndUrlsShape = z
  .object({
    ...timesShape.shape,
    ...Object.fromEntries(urlNames.map((name) => [name, z.string().optional()])),
  })
  .superRefine(checkTimes)

/**
 * Returns the times that these variables set. Needs no other setting, so that commands can call it.
 * Throws as `parseEnv` does.
 */
export const parseTimes = (variables: Variables): Times =>
  createTimes(parseVariables(timesAndUrlsShape, variables).TEST_TIMES)
