import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadSignInForm } from './harness/sign-in'
import {
  buildForwardedForHeaders,
  createKnownDeviceCookies,
  demoPassword,
  type StrangersDesk,
  startStrangersDesk,
  strangerHeaders,
  victimEmail,
  victimHeaders,
} from './harness/strangers-desk'
import { waitUntil } from './harness/wait-until'

let testStack: StrangersDesk
beforeAll(async () => {
  testStack = await startStrangersDesk()
})
afterAll(() => testStack?.stop())
afterEach(() => testStack.forgetFailures())

/**
 * The number of sign-ins from unknown devices that the server accepts at the same time: it checks
 * two, and twenty wait in the queue.
 */
const maxConcurrentSignIns = 22

/**
 * Fills the sign-in queue with sign-ins of strangers that cannot continue, and sends one more,
 * which the server refuses. Then runs `work` with the refused responses (status 503). Returns the
 * statuses of all these sign-ins. The first parameter returns the request headers for the stranger
 * with this number.
 */
async function withFullSignInQueue(
  buildHeaders: (stranger: number) => Record<string, string>,
  work: (refused: Response[]) => Promise<void>,
) {
  const lockHolder = new Client(testStack.postgres.url)
  await lockHolder.connect()
  const refusedResponses: Response[] = []
  const statusPromises: Promise<number>[] = []
  try {
    // Each sign-in writes a row to this table before it hashes the password. The table lock stops
    // the first two sign-ins at this write, so the others wait in the queue behind them.
    await lockHolder.query('begin; lock table sign_in_failures in access exclusive mode')
    const submitForms = await Promise.all(
      Array.from({ length: maxConcurrentSignIns + 1 }, (_, stranger) =>
        loadSignInForm(testStack.dashboard.url, buildHeaders(stranger)),
      ),
    )
    const submitWrongPassword = async (submitForm: (typeof submitForms)[number]) => {
      const { response } = await submitForm(`${randomUUID()}@evil.test`, 'guess')
      if (response.status === 503) refusedResponses.push(response)
      return response.status
    }
    statusPromises.push(...submitForms.map(submitWrongPassword))
    await waitUntil('a full queue', () => (refusedResponses.length === 1 ? true : null))
    await work(refusedResponses)
  } finally {
    await lockHolder.query('rollback')
    await lockHolder.end()
    await Promise.allSettled(statusPromises)
  }
  return Promise.all(statusPromises)
}

describe('a full sign-in queue', () => {
  test('does not block another network: a request of the filling network is dropped', async () => {
    const submitVictimSignIn = await loadSignInForm(testStack.dashboard.url, victimHeaders)
    let signInResult: ReturnType<typeof submitVictimSignIn> | undefined
    const statuses = await withFullSignInQueue(
      () => strangerHeaders,
      async (refused) => {
        signInResult = submitVictimSignIn(victimEmail, demoPassword)
        await waitUntil('another stranger to be turned away', () =>
          refused.length === 2 ? true : null,
        )
      },
    )
    expect((await signInResult)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(maxConcurrentSignIns - 1).fill(401), 503, 503])
  })

  test('of different networks does not block a known device, and drops none of them', async () => {
    const submitSignIn = await loadSignInForm(
      testStack.dashboard.url,
      strangerHeaders,
      await createKnownDeviceCookies(testStack.dashboard.url),
    )
    const submitFromUnknownDevice = await loadSignInForm(
      testStack.dashboard.url,
      buildForwardedForHeaders('203.0.99.66'),
    )
    let knownDeviceSignIn: ReturnType<typeof submitSignIn> | undefined
    const statuses = await withFullSignInQueue(
      (stranger) => buildForwardedForHeaders(`203.0.${stranger}.66`),
      async () => {
        knownDeviceSignIn = submitSignIn(victimEmail, demoPassword)
        // Known devices have a separate queue. This sign-in comes from an unknown device, and the
        // queue for unknown devices is still full.
        expect((await submitFromUnknownDevice(victimEmail, demoPassword)).response.status).toBe(503)
      },
    )
    expect((await knownDeviceSignIn)?.response.status).toBe(200)
    expect(statuses.sort()).toEqual([...Array(maxConcurrentSignIns).fill(401), 503])
  })

  test('refuses the next request with a retry time, which does not count as an attempt', async () => {
    const readFailureCounts = async () =>
      (
        await testStack.db.query(
          'select sum(failures)::int as failures, count(*)::int as people from sign_in_failures',
        )
      ).rows
    let queueFullResponse: Response | undefined
    await withFullSignInQueue(
      (stranger) => buildForwardedForHeaders(`203.0.${stranger}.1`),
      async (refused) => {
        queueFullResponse = refused[0]
      },
    )
    expect(queueFullResponse?.headers.get('retry-after')).toBe('2')
    expect(await queueFullResponse?.json()).toMatchObject({
      error: { code: 'unavailable', detail: expect.stringContaining('was not checked') },
    })
    expect(await readFailureCounts()).toEqual([
      { failures: maxConcurrentSignIns, people: maxConcurrentSignIns },
    ])
  })
})
