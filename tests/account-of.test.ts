import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, startDashboard } from './harness/dashboard'
import { type Person, type Reply, signIn } from './harness/person'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { until } from './harness/until'

type Found = { account: string | null; searched: number; complete: boolean }

let sandbox: Sandbox
let dashboard: Dashboard
let viewer: Person
let accounts: string[]
/** The last account that has payments: far behind the first ones. */
let far: string

beforeAll(async () => {
  sandbox = await startSandbox()
  // The quotas people have.
  const env = { PERSON_READS_PER_MINUTE: '', PERSON_WRITES_PER_HOUR: '' }
  dashboard = await startDashboard({ serviceUrl: sandbox.url, apiKey: sandbox.keys.full, env })
  viewer = await signIn(dashboard.url, 'viewer')
  const { body } = await viewer.get<{ id: string; status: string }[]>('/api/sandbox/v1/accounts?page_size=1000')
  const all = body.data ?? []
  accounts = all.map(({ id }) => id)
  const known = () => viewer.get<unknown[]>('/api/sandbox/mirror/accounts?page_size=1000')
  await until('the accounts', async () => ((await known()).body.data?.length === all.length ? true : null))
  far = all.filter(({ status }) => status === 'active').at(-1)?.id ?? ''
})
afterAll(async () => {
  await dashboard?.stop()
  await sandbox?.stop()
})

const ask = (id: string, resource = 'payouts', person = viewer, searched = '') =>
  person.get<Found>(`/api/sandbox/desk/account-of?resource=${resource}&id=${id}${searched && `&searched=${searched}`}`)
const makePayout = (account: string | undefined, more = {}) => sandbox.makePayout({ account_id: account, ...more })
const lookupsOf = async (since: number, id: string) => (await sandbox.requests(since)).filter(({ path }) => path.includes(id))

test('one question makes four lookups at most, says when that was not every account, and is not asked twice', async () => {
  expect(accounts.indexOf(far)).toBeGreaterThan(4)
  const { id } = await makePayout(far)
  const since = await sandbox.lastSeq()
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask(id)))
  for (const { status, body } of replies) {
    expect(status).toBe(200)
    expect(body.data).toEqual({ account: null, searched: 3, complete: false })
  }
  expect(await lookupsOf(since, id)).toHaveLength(4)
  expect((await ask(id)).body.data?.complete).toBe(false)
  expect(await lookupsOf(since, id)).toHaveLength(4)
})

test('who says how far the answer came has the next accounts asked, each once, until it is found', async () => {
  const { id, account } = await makePayout(far)
  const since = await sandbox.lastSeq()
  let found = (await ask(id)).body.data
  for (let step = 0; step < accounts.length && found?.account === null; step += 1) {
    const before = found.searched
    const [reply, beside] = await Promise.all([1, 2].map(() => ask(id, 'payouts', viewer, String(before))))
    // Whoever comes once it was found is told what is known.
    expect([reply?.body.data, { account, searched: 0, complete: true }]).toContainEqual(beside?.body.data)
    found = reply?.body.data
    expect((found?.searched ?? 0) - before).toBeLessThanOrEqual(4)
  }
  expect(found).toMatchObject({ account, complete: true })
  const scopes = (await lookupsOf(since, id)).length
  expect(scopes).toBeLessThanOrEqual(accounts.length + 1)
  expect((await ask(id, 'payouts', viewer, 'x')).body.error?.detail).toBe('searched: must be a whole number, as the answer before gave it')
})

test('an object that is nowhere takes one lookup', async () => {
  const id = randomUUID()
  const since = await sandbox.lastSeq()
  expect((await ask(id)).body.data).toEqual({ account: null, searched: 0, complete: true })
  expect((await ask(id)).body.data?.account).toBeNull()
  expect(await lookupsOf(since, id)).toHaveLength(1)
})

test('an account among the first is found, and known from then on', async () => {
  const { id, account } = await makePayout(accounts[1])
  expect((await ask(id)).body.data).toMatchObject({ account, complete: true })
  const since = await sandbox.lastSeq()
  expect((await ask(id)).body.data).toEqual({ account, searched: 0, complete: true })
  expect(await lookupsOf(since, id)).toEqual([])
})

test('a payment is looked for first where its customer is known to be', async () => {
  const { id } = await makePayout(far)
  const payout = await viewer.get<{ customer_details: { id: string } }>(`/api/sandbox/v1/payouts/${id}`)
  const customer = payout.body.data?.customer_details.id ?? ''
  await viewer.get(`/api/sandbox/v1/customers/${customer}?account=acct_${far}`)
  expect((await ask(id)).body.data).toMatchObject({ account: `acct_${far}`, complete: true })
})

test('a lookup that fails is no answer, and is asked again', async () => {
  const { id, account } = await makePayout(accounts[0])
  await sandbox.fault({ operation: 'payouts.get', match: id, kind: 'status', status: 500, count: 1 })
  expect((await ask(id)).status).toBe(502)
  expect((await ask(id)).body.data?.account).toBe(account)
})

test('two hundred questions of a viewer stay within their quota, and are told when there is more', async () => {
  const person = await signIn(dashboard.url, 'viewer')
  const minute = () => Math.floor(Date.now() / 60_000)
  const first = minute()
  const since = await sandbox.lastSeq()
  const payouts = await Promise.all(Array.from({ length: 200 }, () => makePayout(far)))
  const replies: Reply<Found>[] = await Promise.all(payouts.map(({ id }) => ask(id, 'payouts', person)))
  const calls = (await sandbox.requests(since)).filter(({ path, method }) => method === 'GET' && path.startsWith('/v1/payouts/'))
  expect(calls.length).toBeLessThanOrEqual(Math.min(4 * 200, 600 * (minute() - first + 1)))
  for (const { status, headers, body } of replies) {
    if (status === 200) expect(body.data?.searched).toBeLessThanOrEqual(3)
    else expect([status, body.error?.code, Number(headers.get('retry-after')) <= 60]).toEqual([429, 'too_many', true])
  }
  expect(replies.some(({ status }) => status === 429) || minute() > first).toBe(true)
})
