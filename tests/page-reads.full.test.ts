import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deskPath, homePath, listPath, listResources } from '@/lib/routes'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type PostgresServer, startPostgresServer } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let postgres: PostgresServer
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([
    startSandbox({ payments: 200 }),
    startPostgresServer({ logged: true }),
  ])
  const dashboardOptions = {
    serviceUrl: sandbox.url,
    apiKey: sandbox.keys.full,
    databaseUrl: postgres.url,
  }
  const firstDashboard = await startDashboard({ ...dashboardOptions, mirror: true })
  await firstDashboard.stop()
  // This instance does not sync the mirror (our copy of the service’s objects), so it calls the
  // service only for pages.
  dashboard = await startDashboard(dashboardOptions)
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await Promise.all([sandbox?.stop(), postgres?.stop()])
})

let markerCount = 0
/**
 * Runs a unique SQL statement and returns its offset in the database's log. All earlier statements
 * come before it in the log.
 */
async function writeLogMarker(): Promise<number> {
  markerCount += 1
  const markerText = `mark ${markerCount} of this test`
  await db.query(`select '${markerText}'`)
  return waitUntil(markerText, () => {
    const markerOffset = postgres.log().indexOf(markerText)
    return markerOffset === -1 ? null : markerOffset
  })
}

/**
 * Opens a page. Returns a function that counts the SQL statements that ran for this page and match
 * a pattern.
 */
async function createStatementCounter(
  person: Person,
  path: string,
): Promise<(statement: RegExp) => number> {
  const logOffset = await writeLogMarker()
  const pageResponse = await person.send(path)
  expect(pageResponse.status).toBe(200)
  await pageResponse.text()
  const statementLog = postgres.log().slice(logOffset, await writeLogMarker())
  return (statement) => [...statementLog.matchAll(statement)].length
}

const paths = ['/sandbox/payouts', '/sandbox/settings', '/sandbox/activity', '/sandbox/home']

test.each(paths)('the frame and the page %s read the signed-in person once', async (path) => {
  const countStatements = await createStatementCounter(await signIn(dashboard.url, 'admin'), path)
  expect(countStatements(/select [^;]*? from "sessions" inner join "people"/g)).toBe(1)
  expect(countStatements(/update "sessions" set "last_seen_at"/g)).toBe(1)
})

test.each(['payouts?tab=all', 'customers?tab=all', 'limits', 'home'])(
  'a window opened at %s receives the complete page without a skeleton',
  async (path) => {
    const html = await (
      await (await signIn(dashboard.url, 'admin')).send(`/sandbox/${path}`)
    ).text()
    expect(html).not.toContain('Loading the list…')
    // Streamed parts are sent hidden and moved into place later. The heading and the rows must not
    // be in such a part.
    const [initialHtml = ''] = html.split('<div hidden id="S:')
    expect(initialHtml).toContain('<h1')
    expect(initialHtml).toMatch(/<(li|tr)[^>]*data-row|<article|<li/)
  },
)

const testedPages = [
  ...listResources.map((list) => ({
    name: list as string,
    path: listPath('sandbox', list, { tab: 'all' }),
  })),
  { name: 'a search of payments', path: listPath('sandbox', 'payments', { search_text: 'a' }) },
  { name: 'home', path: homePath('sandbox') },
  { name: 'limits', path: deskPath('sandbox', '/limits') },
]

test.each(testedPages)(
  '$name sends no service request, on the whole platform and in an account, at any load',
  async ({ path }) => {
    const person = await signIn(dashboard.url, 'admin')
    const accountsReply = await person.get<{ id: string }[]>('/api/sandbox/mirror/accounts')
    const accountQuery = `account=acct_${accountsReply.body.data?.[0]?.id}`
    const seqBefore = await sandbox.lastSeq()
    for (const pagePath of [
      path,
      path,
      `${path}${path.includes('?') ? '&' : '?'}${accountQuery}`,
    ]) {
      const testedPageResponse = await person.send(pagePath)
      expect(testedPageResponse.status).toBe(200)
      expect(await testedPageResponse.text()).not.toContain('could not be read')
    }
    expect(await sandbox.requests(seqBefore)).toEqual([])
  },
)

test('the list of paykeys contains customer names even if the service is down', async () => {
  const person = await signIn(dashboard.url, 'admin')
  const paykeysReply = await person.get<{ customer_id: string }[]>(
    '/api/sandbox/mirror/paykeys?page_size=50',
  )
  const customersReply = await person.get<{ id: string; name: string }[]>(
    '/api/sandbox/mirror/customers?page_size=1000',
  )
  const customerNameById = new Map(customersReply.body.data?.map(({ id, name }) => [id, name]))
  const customerNames = [
    ...new Set(
      paykeysReply.body.data?.map(({ customer_id }) => customerNameById.get(customer_id) ?? ''),
    ),
  ].filter((name) => /^[\w .]+$/.test(name))
  expect(customerNames.length).toBeGreaterThan(10)
  await sandbox.stop()
  const html = await (await person.send('/sandbox/paykeys?tab=all')).text()
  for (const name of customerNames) expect(html).toContain(name)
})
