import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deskPath, homePath, listPath, listResources } from '@/lib/routes'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, signIn } from './harness/person'
import { type Server, startServer } from './harness/postgres'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { waitUntil } from './harness/wait-until'

let sandbox: Sandbox
let postgres: Server
let dashboard: Dashboard
let db: Client

beforeAll(async () => {
  ;[sandbox, postgres] = await Promise.all([startSandbox({ payments: 200 }), startServer({ logged: true })])
  const desk = { serviceUrl: sandbox.url, apiKey: sandbox.keys.full, databaseUrl: postgres.url }
  const firstDashboard = await startDashboard({ ...desk, mirror: true })
  await firstDashboard.stop()
  // This instance does not sync the mirror. So pages cause all its calls to the service.
  dashboard = await startDashboard(desk)
  db = new Client(postgres.url)
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await dashboard?.stop()
  await Promise.all([sandbox?.stop(), postgres?.stop()])
})

let markerCount = 0
/** Writes a unique statement to the database's log and returns its position there. All earlier statements come before it. */
async function writeLogMarker(): Promise<number> {
  markerCount += 1
  const name = `mark ${markerCount} of this test`
  await db.query(`select '${name}'`)
  return waitUntil(name, () => {
    const markerOffset = postgres.log().indexOf(name)
    return markerOffset === -1 ? null : markerOffset
  })
}

/** Opens a page. Returns a function that counts the statements during its rendering that match a pattern. */
async function createStatementCounter(person: Person, path: string): Promise<(statement: RegExp) => number> {
  const logOffset = await writeLogMarker()
  const answer = await person.send(path)
  expect(answer.status).toBe(200)
  await answer.text()
  const log = postgres.log().slice(logOffset, await writeLogMarker())
  return (statement) => [...log.matchAll(statement)].length
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
    const html = await (await (await signIn(dashboard.url, 'admin')).send(`/sandbox/${path}`)).text()
    expect(html).not.toContain('Loading the list…')
    // Streamed parts are sent hidden and moved into place later. The heading and the rows must not be in such a part.
    const [whole = ''] = html.split('<div hidden id="S:')
    expect(whole).toContain('<h1')
    expect(whole).toMatch(/<(li|tr)[^>]*data-row|<article|<li/)
  },
)

const pages = [
  ...listResources.map((list) => ({ name: list as string, path: listPath('sandbox', list, { tab: 'all' }) })),
  { name: 'a search of payments', path: listPath('sandbox', 'payments', { search_text: 'a' }) },
  { name: 'home', path: homePath('sandbox') },
  { name: 'limits', path: deskPath('sandbox', '/limits') },
]

test.each(pages)('$name sends no service request, on the whole platform and in an account, at any load', async ({ path }) => {
  const person = await signIn(dashboard.url, 'admin')
  const accounts = await person.get<{ id: string }[]>('/api/sandbox/mirror/accounts')
  const account = `account=acct_${accounts.body.data?.[0]?.id}`
  const seqBefore = await sandbox.lastSeq()
  for (const pagePath of [path, path, `${path}${path.includes('?') ? '&' : '?'}${account}`]) {
    const answer = await person.send(pagePath)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain('could not be read')
  }
  expect(await sandbox.requests(seqBefore)).toEqual([])
})

test('the list of paykeys contains customer names even if the service is down', async () => {
  const person = await signIn(dashboard.url, 'admin')
  const paykeys = await person.get<{ customer_id: string }[]>('/api/sandbox/mirror/paykeys?page_size=50')
  const customers = await person.get<{ id: string; name: string }[]>('/api/sandbox/mirror/customers?page_size=1000')
  const names = new Map(customers.body.data?.map(({ id, name }) => [id, name]))
  const customerNames = [...new Set(paykeys.body.data?.map(({ customer_id }) => names.get(customer_id) ?? ''))].filter((name) =>
    /^[\w .]+$/.test(name),
  )
  expect(customerNames.length).toBeGreaterThan(10)
  await sandbox.stop()
  const html = await (await person.send('/sandbox/paykeys?tab=all')).text()
  for (const name of customerNames) expect(html).toContain(name)
})
