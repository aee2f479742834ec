import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleItems, testInFullRun } from '@/tests/sandbox/sample'
import { runCommand } from './harness/command'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Postgres, startPostgres } from './harness/postgres'
import { loadSignInForm, trySignIn } from './harness/sign-in'
import { waitUntil } from './harness/wait-until'

const apiKey = 'key-of-this-test-0123456789'
const serviceUrl = 'http://127.0.0.1:9'
const demoPassword = 'paydesk-demo'

let postgres: Postgres
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  postgres = await startPostgres()
  dashboard = await startDashboard({ serviceUrl, apiKey, databaseUrl: postgres.url })
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await postgres?.stop()
})

const attemptSignIn = (email: string, password: string) => trySignIn(dashboard.url, email, password)
const countAuditRows = async (code: string) =>
  (await db.query(`select 1 from audit where body::json ->> 'code' = $1`, [code])).rowCount ?? 0

test('an unknown address, a wrong password and a disabled person get the same response', async () => {
  await db.query(`update people set disabled_at = now() where email = 'reviewer@paydesk.test'`)
  const refusedCredentials = [
    ['nobody@paydesk.test', 'wrong'],
    ['viewer@paydesk.test', 'wrong'],
    ['reviewer@paydesk.test', demoPassword],
    ['', ''],
  ] as const
  const responseTexts = new Set<string>()
  for (const [email, password] of refusedCredentials) {
    const { ok, response } = await attemptSignIn(email, password)
    expect(ok).toBe(false)
    const headerNames = [...response.headers.keys()].filter((name) => name !== 'date')
    responseTexts.add(JSON.stringify([response.status, headerNames, await response.text()]))
  }
  expect([...responseTexts]).toHaveLength(1)
  expect([...responseTexts][0]).not.toMatch(/nobody|viewer|wrong/)
})

test('ten failures lock an address for half an hour, known or unknown', async () => {
  for (const email of ['admin@paydesk.test', 'Unknown@Paydesk.test']) {
    for (let failure = 0; failure < 10; failure += 1)
      expect((await attemptSignIn(email, `wrong-${failure}`)).ok).toBe(false)
  }
  const readLockEnds = async () =>
    (await db.query('select locked_until from sign_in_failures order by email_hash')).rows
  const firstLockEnds = await readLockEnds()
  expect((await attemptSignIn('admin@paydesk.test', demoPassword)).ok).toBe(false)
  expect((await attemptSignIn('ADMIN@paydesk.test ', demoPassword)).ok).toBe(false)
  expect(await readLockEnds()).toEqual(firstLockEnds)
  expect((await attemptSignIn('viewer@paydesk.test', demoPassword)).ok).toBe(true)
  const lockRows = await db.query(
    'select extract(epoch from locked_until - last_at) as seconds from sign_in_failures where locked_until is not null',
  )
  expect(lockRows.rows.map((row) => Number(row.seconds))).toEqual([1800, 1800])
  await db.query(
    `update sign_in_failures set last_at = last_at - interval '31 minutes', locked_until = locked_until - interval '31 minutes'`,
  )
  expect((await attemptSignIn('admin@paydesk.test', demoPassword)).ok).toBe(true)
})

test('concurrent guesses do not bypass the lock', async () => {
  const email = 'operator@paydesk.test'
  const submitRightPassword = await loadSignInForm(dashboard.url)
  const submitForms = await Promise.all(
    Array.from({ length: 14 }, () => loadSignInForm(dashboard.url)),
  )
  const guessPromises = submitForms.map((send, guess) => send(email, `wrong-${guess}`))
  await waitUntil('the lock', async () =>
    (await db.query('select 1 from sign_in_failures where locked_until > now()')).rowCount
      ? true
      : null,
  )
  expect((await submitRightPassword(email, demoPassword)).ok).toBe(false)
  expect((await Promise.all(guessPromises)).map((tried) => tried.ok)).not.toContain(true)
  await db.query('delete from sign_in_failures')
})

test('a correct password resets earlier failures', async () => {
  for (let failure = 0; failure < 9; failure += 1)
    await attemptSignIn('viewer@paydesk.test', 'wrong')
  expect((await attemptSignIn('viewer@paydesk.test', demoPassword)).ok).toBe(true)
  for (let failure = 0; failure < 9; failure += 1)
    await attemptSignIn('viewer@paydesk.test', 'wrong')
  expect((await attemptSignIn('viewer@paydesk.test', demoPassword)).ok).toBe(true)
})

test('every success and refusal is audited without the address', async () => {
  const [appliedCountBefore, refusedCountBefore] = [
    await countAuditRows('session.sign_in.applied'),
    await countAuditRows('session.sign_in.refused'),
  ]
  await attemptSignIn('viewer@paydesk.test', demoPassword)
  await attemptSignIn('canary-address@paydesk.test', 'wrong')
  expect(await countAuditRows('session.sign_in.applied')).toBe(appliedCountBefore + 1)
  expect(await countAuditRows('session.sign_in.refused')).toBe(refusedCountBefore + 1)
  expect((await db.query(`select 1 from audit where body ~ 'paydesk.test'`)).rowCount).toBe(0)
  expect(dashboard.log()).not.toContain('canary-address')
})

testInFullRun(
  'demo people of an old store cannot sign in without the embedded sandbox',
  async () => {
    const oldSession = await trySignIn(dashboard.url, 'viewer@paydesk.test', demoPassword)
    const dashboardWithoutSandbox = await startDashboard({
      serviceUrl,
      apiKey,
      databaseUrl: postgres.url,
      embedded: false,
    })
    expect(
      (await trySignIn(dashboardWithoutSandbox.url, 'viewer@paydesk.test', demoPassword)).ok,
    ).toBe(false)
    const cookie = `paydesk.session=${oldSession.jar.get('paydesk.session')}`
    expect(
      (
        await fetch(`${dashboardWithoutSandbox.url}/api/sandbox/v1/payments`, {
          headers: { cookie },
        })
      ).status,
    ).toBe(401)
    const pageHtml = await (await fetch(`${dashboardWithoutSandbox.url}/sign-in`)).text()
    expect(
      [demoPassword, 'viewer@paydesk.test', 'Vic Viewer'].filter((word) => pageHtml.includes(word)),
    ).toEqual([])
    expect((await (await fetch(`${dashboard.url}/sign-in`)).text()).includes(demoPassword)).toBe(
      true,
    )
    await dashboardWithoutSandbox.stop()
  },
)

describe('admin:create', () => {
  // An empty `TEST_TIMES` gives the command’s password hashes the real, high cost. The dashboard of
  // this test uses a low cost, but must be able to check such a hash.
  const runAdminCreate = (args: Record<string, string>, password: string) =>
    runCommand(
      'admin-create',
      Object.entries(args).flat(),
      { DATABASE_URL: postgres.url, TEST_TIMES: '' },
      `${password}\n`,
    )
  const adminCreateArgs = { '--email': 'dana@company.test', '--name': 'Dana Smith' }

  test('creates a person who can sign in', async () => {
    const password = 'a long enough sentence'
    const { code, text } = await runAdminCreate(adminCreateArgs, password)
    expect({ code, text }).toEqual({ code: 0, text: 'admin dana@company.test may sign in now\n' })
    expect((await attemptSignIn('Dana@company.test', password)).ok).toBe(true)
    expect((await attemptSignIn('dana@company.test', `${password} `)).ok).toBe(false)
    const personResult = await db.query(
      `select password_hash, demo from people where email = 'dana@company.test'`,
    )
    expect(personResult.rows[0]).toMatchObject({
      demo: false,
      password_hash: expect.stringMatching(/^scrypt\$17\$/),
    })
    expect(await countAuditRows('people.create.applied')).toBe(1)
  })

  const refusalCases: [string, Record<string, string>, string, RegExp][] = [
    [
      'a short password',
      { ...adminCreateArgs, '--email': 'e1@company.test' },
      'too-short-1',
      /^password: Must be at least 12 characters\.$/,
    ],
    [
      'a long password',
      { ...adminCreateArgs, '--email': 'e2@company.test' },
      'abcdefghij'.repeat(13),
      /^password: Must be at most 128 characters\.$/,
    ],
    [
      'a dull password',
      { ...adminCreateArgs, '--email': 'e3@company.test' },
      'abababababababab',
      /^password: Use more different characters\.$/,
    ],
    [
      'no password',
      { ...adminCreateArgs, '--email': 'e4@company.test' },
      '',
      /^password: Must be at least 12/,
    ],
    [
      'no address',
      { ...adminCreateArgs, '--email': 'dana' },
      'a long enough sentence',
      /^email: must be an address like/,
    ],
    [
      'an unknown role',
      { ...adminCreateArgs, '--email': 'e5@company.test', '--role': 'king' },
      'a long enough sentence',
      /^role: must be one of/,
    ],
    [
      'a taken address',
      { ...adminCreateArgs, '--email': 'DANA@company.test' },
      'a long enough sentence',
      /^email: a person with this address/,
    ],
    [
      'an empty name',
      { ...adminCreateArgs, '--email': 'e6@company.test', '--name': ' ' },
      'a long enough sentence',
      /^name: must not be empty$/,
    ],
  ]
  test.each(sampleItems(refusalCases, 1))(
    'with %s is refused in one line with the field',
    async (_name, args, password, line) => {
      const { code, text } = await runAdminCreate(args, password)
      expect(code).toBe(1)
      expect(text.trimEnd()).toMatch(line)
      if (password) expect(text).not.toContain(password)
    },
  )

  test('without options prints its usage', async () => {
    const { code, text } = await runAdminCreate({}, '')
    expect(code).toBe(2)
    expect(text).toContain('--email')
  })
})
