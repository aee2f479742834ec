import 'server-only'
import * as z from 'zod'
import { parseVariables, type Variables } from './parse'
import { createListShape, isOnThisMachine } from './setting-forms'

/** Cost of password hashes in tests: `scrypt` at 2^10. */
const cheapHashOptions = { cost: 10 }

/** Milliseconds, except `bytes` and `cost`. `TEST_TIMES` names the groups that tests shorten. */
const productionTimeGroups = {
  pauses: {
    /** Pauses before the quick replays of a write, which run in the same HTTP request. */
    replays: [1000, 3000],
    /** How long a session stays cached: a sign-out on another instance takes effect this late. */
    session: 1000,
    /**
     * Pause between two polls of the action log while no action is open. A notification about a new
     * action ends the pause early.
     */
    idleResolver: 10_000,
    /**
     * Delay of the response to a third failed sign-in. It doubles with each failure, up to `most`.
     */
    failedSignIn: { first: 100, most: 1600 },
  },
  /** Cost of password hashes (scrypt), as an exponent of two. */
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
  /**
   * Time limits for the headers of a request and for the first part of a form. `check` is how often
   * the server looks for late headers.
   */
  requestStart: { headers: 15_000, check: 5000, form: 5000 },
  /**
   * `whole` limits the arrival of a request body. `rest` limits the arrival of its remaining part
   * after a response that was sent early.
   */
  requestBody: { whole: 30_000, rest: 10_000 },
  /**
   * An upload must deliver at least `bytes` per `stretch`, and all of it within `whole`. It waits
   * at most `place` for a free upload slot.
   */
  upload: { stretch: 10_000, bytes: 160_000, whole: 120_000, place: 15_000 },
  fileCheck: { whole: 20_000 },
}

type TimeGroupName = keyof typeof productionTimeGroups
const timeGroupNames = Object.keys(productionTimeGroups) as TimeGroupName[]

/**
 * Seconds until each check of an action with an unknown outcome; after the last, hourly. Tests set
 * `next_check_at` instead: an action that settles by itself would race with the test.
 */
const outcomeCheckSchedule = { delays: [5, 15, 60, 300, 900], hourly: 3600 }

export type TimeSettings = typeof productionTimeGroups & { schedule: typeof outcomeCheckSchedule }

type NestedNumbers = number | readonly NestedNumbers[] | { readonly [name: string]: NestedNumbers }

function divideByTen(value: NestedNumbers): NestedNumbers {
  if (typeof value === 'number') return value / 10
  if (Array.isArray(value)) return value.map(divideByTen)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, divideByTen(inner)]),
  )
}

const shortenTimeGroup = (name: TimeGroupName): NestedNumbers =>
  name === 'hashes' ? cheapHashOptions : divideByTen(productionTimeGroups[name])

/**
 * Divides the times of `shortGroups` by ten. A test should shorten only the one deadline for which
 * it waits: a busy machine misses short deadlines, and could miss another one first.
 */
export const createTimeSettings = (shortGroups: readonly TimeGroupName[]): TimeSettings =>
  ({
    ...productionTimeGroups,
    ...Object.fromEntries(shortGroups.map((name) => [name, shortenTimeGroup(name)])),
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

export const testTimesShape = z.object({
  TEST_TIMES: createListShape(z.string()).pipe(
    z.array(z.enum(timeGroupNames, `must be a list of ${timeGroupNames.join(', ')}`)),
  ),
})

type TimesAndUrlVariables = z.output<typeof testTimesShape> &
  Partial<Record<(typeof urlVariables)[number], string | undefined>>

/**
 * Allows short test times only if all addresses are on this machine, because they include cheap
 * password hashes, which are easy to break.
 */
export function checkTestTimes(value: TimesAndUrlVariables, context: z.RefinementCtx): void {
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
    ...testTimesShape.shape,
    ...Object.fromEntries(urlVariables.map((name) => [name, z.string().optional()])),
  })
  .superRefine(checkTestTimes)

/** Needs no other setting, so that commands can call it. Throws as `parseEnv` does. */
export const parseTimeSettings = (variables: Variables): TimeSettings =>
  createTimeSettings(parseVariables(timesAndUrlsShape, variables).TEST_TIMES)
