import 'server-only'
import * as z from 'zod'
import { parseVariables, type Variables } from './parse'
import { createListShape, isOnThisMachine } from './setting-forms'

/** Cost of password hashes in tests: `scrypt` at 2^10. */
const cheapHashOptions = { cost: 10 }

/** Milliseconds, except `bytes` and `cost`. `TEST_TIMES` names the groups that tests shorten. */
const timeGroups = {
  pauses: {
    /** Before each quick replay of a write, in the same HTTP request. */
    replays: [1000, 3000],
    /** Between two reads of a session: a sign-out on another instance takes effect this late. */
    session: 1000,
    /** Between two polls while no action is open. A new action is still checked within a second. */
    idleResolver: 10_000,
    /** Before the response to a third failed sign-in. Doubles with each failure, up to `most`. */
    failedSignIn: { first: 100, most: 1600 },
  },
  /** An exponent of two. */
  hashes: { cost: 17 },
  /**
   * The payments service: timeouts of the connection, and of the response headers of a read and a
   * write. No quick replay of a write starts later than `replays`, which is shorter than `write`.
   * So a write that got no response headers is not replayed at once.
   */
  responseHeaders: { connect: 3000, read: 10_000, write: 20_000, replays: 15_000 },
  /** Maximum pause between two parts of a response body from the service. */
  responseBody: { silence: 5000 },
  /** Maximum total time at the payments service. */
  exchange: { read: 15_000, write: 30_000, upload: 60_000 },
  /** Timeout of the headers, interval of that check, and timeout of the first part of a form. */
  requestStart: { headers: 15_000, check: 5000, form: 5000 },
  /** `rest` applies after a response that was sent before the body ended. */
  requestBody: { whole: 30_000, rest: 10_000 },
  /** Minimum `bytes` per `stretch` of waiting, total time, and wait for a slot (`place`). */
  upload: { stretch: 10_000, bytes: 160_000, whole: 120_000, place: 15_000 },
  fileCheck: { whole: 20_000 },
}

type TimeGroup = keyof typeof timeGroups
const groupNames = Object.keys(timeGroups) as TimeGroup[]

/**
 * Seconds until each check of an action with an unknown outcome; after the last, hourly. Tests set
 * `next_check_at` instead: an action that settles by itself would race with the test.
 */
const outcomeCheckSchedule = { delays: [5, 15, 60, 300, 900], hourly: 3600 }

export type TimeSettings = typeof timeGroups & { schedule: typeof outcomeCheckSchedule }

type NestedNumbers = number | readonly NestedNumbers[] | { readonly [name: string]: NestedNumbers }

function divideByTen(value: NestedNumbers): NestedNumbers {
  if (typeof value === 'number') return value / 10
  if (Array.isArray(value)) return value.map(divideByTen)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, divideByTen(inner)]),
  )
}

const shortenGroup = (name: TimeGroup): NestedNumbers =>
  name === 'hashes' ? cheapHashOptions : divideByTen(timeGroups[name])

/**
 * Divides the times of `shortGroups` by ten. A test should shorten only the one deadline for which
 * it waits: a busy machine misses short deadlines, and could miss another one first.
 */
export const createTimes = (shortGroups: readonly TimeGroup[]): TimeSettings =>
  ({
    ...timeGroups,
    ...Object.fromEntries(shortGroups.map((name) => [name, shortenGroup(name)])),
    schedule: outcomeCheckSchedule,
  }) as TimeSettings

const urlVariables = [
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

type TimesAndUrlVariables = z.output<typeof timesShape> &
  Partial<Record<(typeof urlVariables)[number], string | undefined>>

/** The cheap password hashes that belong to short times are easy to break. */
export function checkTimesVariables(value: TimesAndUrlVariables, context: z.RefinementCtx): void {
  const addIssue = (why: string) =>
    context.addIssue({
      code: 'custom',
      path: ['TEST_TIMES'],
      message: `must not be set: it is for tests on one machine, and ${why}`,
    })
  if (value.TEST_TIMES.length === 0) return
  const remoteUrlVariable = urlVariables.find(
    (name) => value[name] !== undefined && !isOnThisMachine(value[name]),
  )
  if (remoteUrlVariable) addIssue(`${remoteUrlVariable} is on another`)
  else if (!value.APP_ORIGIN) addIssue('APP_ORIGIN is not set')
}

const timesAndUrlsShape = z
  .object({
    ...timesShape.shape,
    ...Object.fromEntries(urlVariables.map((name) => [name, z.string().optional()])),
  })
  .superRefine(checkTimesVariables)

/** Needs no other setting, so that commands can call it. Throws as `parseEnv` does. */
export const parseTimes = (variables: Variables): TimeSettings =>
  createTimes(parseVariables(timesAndUrlsShape, variables).TEST_TIMES)
