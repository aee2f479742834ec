import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trySignIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { type OwnDesk, startWholeDesk } from './harness/whole-desk'

let desk: OwnDesk

beforeAll(async () => {
  desk = await startWholeDesk()
})
afterAll(() => desk?.stop())

const paths: readonly string[] = ['/sandbox/payouts', '/sandbox/people', '/api/sandbox/v1/payments', '/api/sandbox/desk/approvals']

const isFailure = ({ status, headers }: Response) => status >= 500 && headers.get('content-type')?.includes('json') === true

async function expectFailure(response: Promise<Response>): Promise<void> {
  if (!isFailure(await response)) throw new Error('no failure of the API')
}

/**
 * Sends requests of all kinds at once, and calls `atFirstFailure` after the first 5xx response of the API. Returns the responses, and the
 * dashboard's log lines in this time.
 */
async function sendAndReadLog(requests: number, atFirstFailure = async () => {}): Promise<{ lines: string[]; answers: Response[] }> {
  const logOffset = desk.dashboard.log().length
  const responses = Array.from({ length: requests }, (_, at) => desk.operator.send(paths[at % paths.length] ?? ''))
  // Only responses of the API count: a page may respond before it has read anything.
  await Promise.any(responses.map(expectFailure))
  await atFirstFailure()
  const answers = await Promise.all(responses)
  return { lines: desk.dashboard.log().slice(logOffset).split('\n').filter(Boolean), answers }
}

/** Expects that each log line is JSON with an event, and that no line contains data of the session or a query. */
function expectCleanLines(lines: readonly string[]): void {
  const token = desk.operator.jar.get('paydesk.session') ?? ''
  const secrets = [token, createHash('sha256').update(token).digest('hex'), 'Failed query', 'params', 'select']
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !line.startsWith('{') || secrets.some((secret) => line.includes(secret)))).toEqual([])
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) })
}

test('a failed query is one JSON log line with its code and no parameter', async () => {
  await desk.db.query('alter table grants rename to grants_elsewhere')
  const { lines, answers } = await sendAndReadLog(8)
  await desk.db.query('alter table grants_elsewhere rename to grants')
  expect(answers.map(({ status }) => status).filter((status) => status !== 500)).toEqual([])
  expectCleanLines(lines)
  expect(lines.join('\n')).toContain('42P01')
})

/** Returns the number of transactions of the dashboard's database that were rolled back. */
const readRollbackCount = async () =>
  Number((await desk.db.query('select xact_rollback from pg_stat_database where datname = current_database()')).rows[0].xact_rollback)

test('while the store fails, the resolver logs its reason, but not every second', async () => {
  const from = desk.dashboard.log().length
  const listReasons = () =>
    desk.dashboard
      .log()
      .slice(from)
      .split('\n')
      .filter((line) => line.includes('"resolver.round_failed"'))
  await desk.db.query('alter table actions rename to actions_elsewhere')
  await waitUntil('the first line', () => listReasons().length || null)
  const rollbacksBefore = await readRollbackCount()
  await waitUntil('three more failures', async () => ((await readRollbackCount()) >= rollbacksBefore + 3 ? true : null))
  await desk.db.query('alter table actions_elsewhere rename to actions')
  expect(listReasons()).toHaveLength(1)
  expect(JSON.parse(listReasons()[0] ?? '{}')).toMatchObject({ code: '42P01' })
})

/** Restarts the dashboard with these settings, and locks a table while `work` runs. */
async function withLockedTable(table: string, settings: Record<string, string>, work: () => Promise<void>): Promise<void> {
  await desk.dashboard.end()
  await desk.dashboard.restart(settings)
  await desk.db.query('begin')
  await desk.db.query(`lock table ${table} in access exclusive mode`)
  await work().finally(() => desk.db.query('rollback'))
}

/** Very long maximum times, in seconds. Each test sets one of them to one second. */
const longTimes = { DATABASE_LOCK_SECONDS: '600', DATABASE_STATEMENT_SECONDS: '600', DATABASE_WAIT_SECONDS: '600' }

test.each(['DATABASE_LOCK_SECONDS', 'DATABASE_STATEMENT_SECONDS'])(
  'a request that waits longer than %s gets the response 503',
  async (name) => {
    await withLockedTable('grants', { ...longTimes, [name]: '1' }, async () => {
      const { status, body } = await desk.operator.get('/api/sandbox/v1/payments')
      expect([status, body.error?.code]).toEqual([503, 'unavailable'])
    })
    expect((await desk.operator.get('/api/sandbox/v1/payments')).status).toBe(200)
  },
)

test('an exhausted pool is one JSON log line for each error, and the API returns 503 with a retry time', async () => {
  await withLockedTable('grants', { ...longTimes, DATABASE_WAIT_SECONDS: '1' }, async () => {
    const { lines, answers } = await sendAndReadLog(40, async () => {
      await desk.db.query('rollback')
    })
    const failedAnswers = answers.filter(isFailure)
    expect(failedAnswers.length).toBeGreaterThan(0)
    for (const answer of failedAnswers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await answer.json()).toMatchObject({ error: { code: 'unavailable', detail: expect.stringContaining('Nothing was sent') } })
    }
    expectCleanLines(lines)
  })
})

test('a sign-in during a store failure returns 503, and a later one opens a session', async () => {
  await withLockedTable('people', { ...longTimes, DATABASE_LOCK_SECONDS: '1' }, async () => {
    const { ok, response } = await trySignIn(desk.dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')
    expect([ok, response.status, response.headers.get('retry-after')]).toEqual([false, 503, '5'])
  })
  expect((await trySignIn(desk.dashboard.url, 'viewer@paydesk.test', 'paydesk-demo')).ok).toBe(true)
})
