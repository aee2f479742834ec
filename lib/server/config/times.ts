import 'server-only'
import * as z from 'zod'
import { parse, type Variables } from './parse'
import { isOnThisMachine, listOf } from './setting-forms'

/** Cost of password hashes in tests: `scrypt` at 2^10. */
const cheap = { cost: 10 }

/** Times that tests can shorten, by their names in `TEST_TIMES`. Milliseconds, except `bytes` and `cost`. */
const groups = {
  pauses: {
    /** Before each quick replay of a write, within its request. */
    replays: [1000, 3000],
    /** Between two reads of a session and its roles: the maximum delay of a sign-out. */
    session: 1000,
    /** Between two checks for open actions if there are none. A new one is checked within a second. */
    idleResolver: 10_000,
    /** Before the response to a third failed sign-in. Doubles with each failure, up to `most`. */
    failedSignIn: { first: 100, most: 1600 },
  },
  /** The cost of a password hash, as a power of two. */
  hashes: { cost: 17 },
  /**
   * The payments service: timeouts of the connection and the response headers, and the latest start of a quick replay. The last is too late
   * after a write without headers.
   */
  responseHeaders: { connect: 3000, read: 10_000, write: 20_000, replays: 15_000 },
  /** Maximum silence within a response body of the service. */
  responseBody: { silence: 5000 },
  /** Total time of a read, a write and an upload at the payments service. */
  exchange: { read: 15_000, write: 30_000, upload: 60_000 },
  /** Timeouts of request headers, their check interval, and the first part of a form. */
  requestStart: { headers: 15_000, check: 5000, form: 5000 },
  /** Timeouts of a request body, and of the rest of a body that was answered early. */
  requestBody: { whole: 30_000, rest: 10_000 },
  /** An uploaded file: minimum `bytes` per `stretch` of waiting for the sender, total time, and the wait for a slot. */
  upload: { stretch: 10_000, bytes: 160_000, whole: 120_000, place: 15_000 },
  /** Maximum time of the check of a file's content. */
  fileCheck: { whole: 20_000 },
}

type Group = keyof typeof groups
const names = Object.keys(groups) as Group[]

/**
 * Seconds after which the resolver repeats an action with an unknown outcome, then hourly. Tests cannot shorten them, because an action
 * that settles by itself would race with the test. They set `next_check_at` instead.
 */
const schedule = { delays: [5, 15, 60, 300, 900], hourly: 3600 }

export type Times = typeof groups & { schedule: typeof schedule }

type Numbers = number | readonly Numbers[] | { readonly [name: string]: Numbers }

function tenth(value: Numbers): Numbers {
  if (typeof value === 'number') return value / 10
  if (Array.isArray(value)) return value.map(tenth)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tenth(inner)]))
}

const shortened = (name: Group): Numbers => (name === 'hashes' ? cheap : tenth(groups[name]))

/**
 * The times of a server, with the given groups at a tenth and cheap hashes. Shorten a deadline only in a test that waits for it, and only
 * one: a busy machine misses short deadlines, possibly the wrong one first.
 */
export const timesOf = (short: readonly Group[]): Times =>
  ({ ...groups, ...Object.fromEntries(short.map((name) => [name, shortened(name)])), schedule }) as Times

const addresses = [
  'APP_ORIGIN',
  'SERVICE_SANDBOX_URL',
  'SERVICE_PRODUCTION_URL',
  'EMBEDDED_SANDBOX_URL',
  'DATABASE_URL',
  'SMTP_URL',
  'OIDC_DISCOVERY_URL',
] as const

export const timesShape = z.object({
  TEST_TIMES: listOf(z.string()).pipe(z.array(z.enum(names, `must be a list of ${names.join(', ')}`))),
})

type Checked = z.output<typeof timesShape> & Partial<Record<(typeof addresses)[number], string | undefined>>

/** Rejects short times unless every address is on this machine: they make password hashes cheap to break. */
export function checkTimes(value: Checked, context: z.RefinementCtx): void {
  const complain = (why: string) =>
    context.addIssue({ code: 'custom', path: ['TEST_TIMES'], message: `must not be set: it is for tests on one machine, and ${why}` })
  if (value.TEST_TIMES.length === 0) return
  const away = addresses.find((name) => value[name] !== undefined && !isOnThisMachine(value[name]))
  if (away) complain(`${away} is on another`)
  else if (!value.APP_ORIGIN) complain('APP_ORIGIN is not set')
}

const wholeShape = z
  .object({ ...timesShape.shape, ...Object.fromEntries(addresses.map((name) => [name, z.string().optional()])) })
  .superRefine(checkTimes)

/** The times set by these variables. A command does not need the server's other settings. Throws as `parseEnv` does. */
export const timesIn = (variables: Variables): Times => timesOf(parse(wholeShape, variables).TEST_TIMES)
