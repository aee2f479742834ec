import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { roles } from '@/lib/operations/define'
import { countVerdicts, type ServiceReport } from '@/lib/operations/service-check'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { type IsolatedDesk, startWholeDesk } from './harness/whole-desk'

const serviceCheckPath = '/api/sandbox/desk/service-check'

let testStack: IsolatedDesk
let admin: Person

beforeAll(async () => {
  testStack = await startWholeDesk()
  admin = await signIn(testStack.dashboard.url, 'admin')
})
afterAll(() => testStack?.stop())

const runServiceCheck = async (person: Person) => {
  const seqBefore = await testStack.sandbox.lastSeq()
  const reply = await person.post<ServiceReport>(serviceCheckPath)
  return { ...reply, asked: await testStack.sandbox.requests(seqBefore) }
}

test('an admin gets the report of the command, which only reads and contains no secret, ID or person', async () => {
  const { status, body, asked } = await runServiceCheck(admin)
  expect(status).toBe(200)
  const report = body.data as ServiceReport
  expect(report).toMatchObject({ environment: 'sandbox', stopped: null, calls: asked.length })
  expect(countVerdicts(report).does_not_fit, JSON.stringify(report.groups)).toBe(0)
  expect(report.groups.map(({ title }) => title)).toEqual([
    'Connection',
    'Key',
    'Settings',
    'Operations',
  ])
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(JSON.stringify(report)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|@|eyJ/i)
})

describe('permissions of the check', () => {
  test.each(roles)('%s is allowed or refused as defined', async (role) => {
    const person = await signIn(testStack.dashboard.url, role)
    const { status, body, asked } = await runServiceCheck(person)
    expect(status).toBe(role === 'admin' ? 200 : 403)
    if (role === 'admin') return
    expect(body.error).toMatchObject({
      code: 'forbidden',
      detail:
        'Only an admin of the whole platform can check the connection to the payments service.',
    })
    expect(asked).toEqual([])
    const pageHtml = await (await person.send('/sandbox/settings')).text()
    expect(pageHtml).toContain('You don’t have access to the settings')
    expect(pageHtml).not.toContain('fingerprint')
  })

  test('an admin of one account is refused, because the settings apply to all accounts', async () => {
    const [ownAccountId = ''] = await listActiveAccounts(testStack.operator)
    await addLimitedPerson(testStack.db, 'account.admin@paydesk.test', 'admin', ownAccountId)
    const limitedPerson = await signIn(testStack.dashboard.url, 'account.admin@paydesk.test')
    const { status, asked } = await runServiceCheck(limitedPerson)
    expect([status, asked]).toEqual([403, []])
    expect(
      await (await limitedPerson.send(`/sandbox/settings?account=acct_${ownAccountId}`)).text(),
    ).toContain('You don’t have access to the settings')
  })

  test('an admin’s page shows the configuration but not the key', async () => {
    const settingsHtml = await (await admin.send('/sandbox/settings')).text()
    expect(settingsHtml).toContain('Service-Account-Id')
    expect(settingsHtml).toContain(testStack.sandbox.url)
    for (const keyPart of testStack.sandbox.keys.full.split('.'))
      expect(settingsHtml).not.toContain(keyPart)
  })

  test('an admin’s page lists unreadable fields by path and count, without values', async () => {
    expect(await (await admin.send('/sandbox/settings')).text()).toContain(
      'All answers of the payments service were readable',
    )
    await testStack.sandbox.speak({ name: 'odd', seed: 5 })
    await admin.get('/api/sandbox/v1/payments?page_size=100')
    await testStack.sandbox.speak({ name: 'document' })
    const settingsPageHtml = await (await admin.send('/sandbox/settings')).text()
    expect(settingsPageHtml).toContain('Unreadable fields, most frequent first')
    expect(settingsPageHtml).toContain('payments.search')
    expect(settingsPageHtml).not.toMatch(/@example|levitating/)
  })

  test('another site and a link are refused', async () => {
    const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
    expect(
      (await admin.send(serviceCheckPath, { method: 'POST', headers: crossSiteHeaders })).status,
    ).toBe(403)
    expect((await admin.send(serviceCheckPath)).status).toBe(405)
  })
})

describe('a check counts like other reads', () => {
  test('against the quota of the person, and the report shows where it stopped', async () => {
    await testStack.dashboard.end()
    await testStack.dashboard.restart({ PERSON_READS_PER_MINUTE: '5' })
    const person = await signIn(testStack.dashboard.url, 'admin')
    // Runs the check twice: the person's limit is per minute, and a new minute may begin during one
    // check, but not during both.
    const { status, body } = await runServiceCheck(person)
    const secondReply = await runServiceCheck(person)
    const stoppedReport = [body.data, secondReply.body.data].find((each) => each?.stopped)
    expect(status).toBe(200)
    expect(stoppedReport?.stopped).toContain('all that one person may ask for in a minute')
    expect(
      stoppedReport?.groups
        .flatMap(({ findings }) => findings)
        .some(({ text }) => text === 'not checked'),
    ).toBe(true)
  })

  test('against the budget of all instances, which a 429 reduces', async () => {
    await testStack.dashboard.end()
    await testStack.dashboard.restart({ SERVICE_SANDBOX_RATE_LIMIT: '50' })
    const person = await signIn(testStack.dashboard.url, 'admin')
    await testStack.sandbox.rateLimit(3)
    const { body } = await runServiceCheck(person)
    await testStack.sandbox.rateLimit(null)
    expect(body.data?.stopped).toContain('rate-limited by the provider')
    const { rows } = await testStack.db.query(
      `select share from service_budgets where environment = 'sandbox'`,
    )
    expect(Number(rows[0]?.share)).toBeLessThan(1)
  })
})
