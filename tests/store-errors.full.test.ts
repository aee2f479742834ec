import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

let testStack: IsolatedDesk

beforeAll(async () => {
  testStack = await startWholeDesk()
})
afterAll(() => testStack?.stop())

const requestedPaths: readonly string[] = [
  '/sandbox/payouts',
  '/sandbox/people',
  '/api/sandbox/v1/payments',
  '/api/sandbox/desk/approvals',
]

const isApiFailure = ({ status, headers }: Response) =>
  status >= 500 && headers.get('content-type')?.includes('json') === true

async function expectApiFailure(response: Promise<Response>): Promise<void> {
  if (!isApiFailure(await response)) throw new Error('no failure of the API')
}

/**
 * Sends this number of requests at once, to each of `requestedPaths` in turn. Calls
 * `atFirstFailure` after the first 5xx response of the API. Returns all responses, and the lines
 * that the dashboard logged during this time.
 */
async function sendRequestsAndReadLog(
  requestCount: number,
  atFirstFailure = async () => {},
): Promise<{ lines: string[]; answers: Response[] }> {
  const logOffset = testStack.dashboard.log().length
  const responsePromises = Array.from({ length: requestCount }, (_, at) =>
    testStack.operator.send(requestedPaths[at % requestedPaths.length] ?? ''),
  )
  // Only failures of the API count. A page can send its status before it reads the database, so its
  // response proves nothing.
  await Promise.any(responsePromises.map(expectApiFailure))
  await atFirstFailure()
  const receivedResponses = await Promise.all(responsePromises)
  return {
    lines: testStack.dashboard.log().slice(logOffset).split('\n').filter(Boolean),
    answers: receivedResponses,
  }
}

/**
 * Expects that each log line is JSON with an event, and that no line contains the session’s token,
 * the hash of the token, or SQL text.
 */
function expectCleanLines(lines: readonly string[]): void {
  const sessionToken = testStack.operator.jar.get('paydesk.session') ?? ''
  const forbiddenLogTexts = [
    sessionToken,
    createHash('sha256').update(sessionToken).digest('hex'),
    'Failed query',
    'params',
    'select',
  ]
  expect(lines.length).toBeGreaterThan(0)
  expect(
    lines.filter(
      (line) => !line.startsWith('{') || forbiddenLogTexts.some((secret) => line.includes(secret)),
    ),
  ).toEqual([])
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) })
}

test('a failed query is one JSON log line with its code and no parameter', async () => {
  await testStack.db.query('alter table grants rename to grants_elsewhere')
  const { lines, answers } = await sendRequestsAndReadLog(8)
  await testStack.db.query('alter table grants_elsewhere rename to grants')
  expect(answers.map(({ status }) => status).filter((status) => status !== 500)).toEqual([])
  expectCleanLines(lines)
  expect(lines.join('\n')).toContain('42P01')
})

/**
 * Returns how many transactions PostgreSQL has rolled back in the dashboard’s database. The number
 * rises when a query of the dashboard fails.
 */
const readRollbackCount = async () =>
  Number(
    (
      await testStack.db.query(
        'select xact_rollback from pg_stat_database where datname = current_database()',
      )
    ).rows[0].xact_rollback,
  )

test('while the store fails, the resolver logs its reason, but not every second', async () => {
  const logLengthBefore = testStack.dashboard.log().length
  const listFailureLines = () =>
    testStack.dashboard
      .log()
      .slice(logLengthBefore)
      .split('\n')
      .filter((line) => line.includes('"resolver.round_failed"'))
  await testStack.db.query('alter table actions rename to actions_elsewhere')
  await waitUntil('the first line', () => listFailureLines().length || null)
  const rollbacksBefore = await readRollbackCount()
  await waitUntil('three more failures', async () =>
    (await readRollbackCount()) >= rollbacksBefore + 3 ? true : null,
  )
  await testStack.db.query('alter table actions_elsewhere rename to actions')
  expect(listFailureLines()).toHaveLength(1)
  expect(JSON.parse(listFailureLines()[0] ?? '{}')).toMatchObject({ code: '42P01' })
})

/**
 * Restarts the dashboard with these settings, and locks the table while `work` runs, so that
 * queries of the dashboard must wait.
 */
async function withLockedTable(
  table: string,
  settings: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  await testStack.dashboard.end()
  await testStack.dashboard.restart(settings)
  await testStack.db.query('begin')
  await testStack.db.query(`lock table ${table} in access exclusive mode`)
  await work().finally(() => testStack.db.query('rollback'))
}

/**
 * Settings for the time limits of database queries, in seconds. These limits are too long for any
 * test to reach. Each test sets one of them to one second, so that only this limit can apply.
 */
const longTimeLimits = {
  DATABASE_LOCK_SECONDS: '600',
  DATABASE_STATEMENT_SECONDS: '600',
  DATABASE_WAIT_SECONDS: '600',
}

test.each(['DATABASE_LOCK_SECONDS', 'DATABASE_STATEMENT_SECONDS'])(
  'a request that waits longer than %s gets the response 503',
  async (name) => {
    await withLockedTable('grants', { ...longTimeLimits, [name]: '1' }, async () => {
      const { status, body } = await testStack.operator.get('/api/sandbox/v1/payments')
      expect([status, body.error?.code]).toEqual([503, 'unavailable'])
    })
    expect((await testStack.operator.get('/api/sandbox/v1/payments')).status).toBe(200)
  },
)

test('an exhausted pool is one JSON log line for each error, and the API returns 503 with a retry time', async () => {
  await withLockedTable('grants', { ...longTimeLimits, DATABASE_WAIT_SECONDS: '1' }, async () => {
    const { lines, answers } = await sendRequestsAndReadLog(40, async () => {
      await testStack.db.query('rollback')
    })
    const failedResponses = answers.filter(isApiFailure)
    expect(failedResponses.length).toBeGreaterThan(0)
    for (const answer of failedResponses) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await answer.json()).toMatchObject({
        error: { code: 'unavailable', detail: expect.stringContaining('Nothing was sent') },
      })
    }
    expectCleanLines(lines)
  })
})

test('a sign-in during a store failure returns 503, and a later one opens a session', async () => {
  await withLockedTable('people', { ...longTimeLimits, DATABASE_LOCK_SECONDS: '1' }, async () => {
    const { ok, response } = await trySignIn(
      testStack.dashboard.url,
      'viewer@paydesk.test',
      'paydesk-demo',
    )
    expect([ok, response.status, response.headers.get('retry-after')]).toEqual([false, 503, '5'])
  })
  expect((await trySignIn(testStack.dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')).ok).toBe(
    true,
  )
})
