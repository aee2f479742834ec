import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activeAccounts, addLimited } from './harness/objects'
import { goodReason, newKey, type Person, signIn } from './harness/person'
import { sharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type Row = Record<string, unknown> & { code: string }

let desk: WholeDesk
let viewer: Person
let limited: Person
let ownAccount: string
let foreign: string
let open: { id: string; action: string }

beforeAll(async () => {
  desk = await sharedDesk()
  viewer = await signIn(desk.dashboard.url, 'viewer')
  ;[ownAccount = '', foreign = ''] = await activeAccounts(desk.operator)
  await addLimited(desk.db, 'limited@paydesk.test', 'operator', ownAccount)
  limited = await signIn(desk.dashboard.url, 'limited@paydesk.test')
  const payout = await desk.sandbox.makePayout({ account_id: ownAccount })
  await desk.sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 500, body: 'none', count: 20 })
  const { body } = await desk.operator.decide('release', payout)
  open = { id: payout.id, action: body.action?.id ?? '' }
})
afterAll(() => desk?.stop())

const head = async () => Number((await desk.db.query('select seq from audit_head')).rows[0].seq)
const since = async (seq: number): Promise<Row[]> =>
  (await desk.db.query('select body::json as body from audit where seq > $1 order by seq', [seq])).rows.map((row) => row.body as Row)
/** Returns the audit rows about refusals. Omits the resolver's own rows. */
const refusals = async (seq: number) => (await since(seq)).filter((row) => row.refusal !== undefined)

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const elsewhere = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const api = '/api/sandbox'

type Case = [what: string, ask: () => Promise<Response>, status: number, row: Record<string, unknown>]

const view = { list: 'payments', name: 'Canary name', search: 'search_text=canary' }
const release = (person: Pick<Person, 'send'>, headers: Record<string, string> = {}) =>
  person.send(`${api}/v1/payouts/${open.id}/release?account=acct_${ownAccount}`, {
    ...json({ reason: goodReason }, { 'idempotency-key': newKey(), ...headers }),
    method: 'PUT',
  })
const decision = { outcome: 'refused', evidence: 'The statement of the bank shows no such payout.' }
const deletion = () => ({
  id: randomUUID(),
  account: `acct_${ownAccount}`,
  customer_id: randomUUID(),
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
})

const cases: Case[] = [
  ['an export of a viewer', () => viewer.send(`${api}/desk/exports/payments?payment_type=payout`), 403, { code: 'payments.export.denied' }],
  ['the request log read by a viewer', () => viewer.send(`${api}/desk/requests`), 403, { code: 'requests.list.denied' }],
  [
    'a check of the connection by an operator',
    () => desk.operator.send(`${api}/desk/service-check`, { method: 'POST' }),
    403,
    { code: 'service.check.denied' },
  ],
  [
    'a check of the connection from another site',
    () => desk.operator.send(`${api}/desk/service-check`, { method: 'POST', headers: elsewhere }),
    403,
    { code: 'service.check.other_site' },
  ],
  [
    'a view shared by a viewer',
    () => viewer.send(`${api}/desk/views`, json({ ...view, shared: true })),
    403,
    { code: 'views.create.denied' },
  ],
  [
    'a decision of a viewer',
    () => viewer.send(`/api/sandbox/desk/actions/${open.action}/decision`, json(decision)),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${open.id}` },
  ],
  [
    'a check of a viewer',
    () => viewer.send(`/api/sandbox/desk/actions/${open.action}`, { method: 'POST' }),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${open.id}` },
  ],
  [
    'a release of a viewer',
    () => release(viewer),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${open.id}` },
  ],
  [
    'the account of somebody else',
    () => limited.send(`${api}/v1/payments?account=acct_${foreign}`),
    403,
    { code: 'payments.search.denied', account: () => foreign },
  ],
  [
    'the limits of another account',
    () => limited.send(`${api}/desk/limit-requests?account=acct_${foreign}`),
    403,
    { code: 'limit_requests.list.denied', account: () => foreign },
  ],
  [
    'a search in another account',
    () => limited.send(`${api}/desk/find?account=acct_${foreign}`, { headers: { 'find-text': 'canary%40example.com' } }),
    403,
    { code: 'customers.by_email.denied', account: () => foreign },
  ],
  [
    'an export of the whole platform',
    () => limited.send(`${api}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.search.denied' },
  ],
  [
    'a deletion asked for by a viewer',
    () => viewer.send('/api/sandbox/desk/deletions', json(deletion())),
    403,
    { code: 'deletions.request.denied', account: () => ownAccount, target: expect.stringMatching(/^customers\//) },
  ],
  ['a release from another site', () => release(desk.operator, elsewhere), 403, { code: 'payouts.release.other_site' }],
  [
    'a reveal from another site',
    () => desk.operator.send(`${api}/v1/customers/${open.id}/unmasked`, { headers: elsewhere }),
    403,
    { code: 'customers.unmask.other_site' },
  ],
  [
    'an export from another site',
    () => desk.operator.send(`${api}/desk/exports/payments`, { headers: elsewhere }),
    403,
    { code: 'payments.export.other_site' },
  ],
  [
    'a view from another site',
    () => desk.operator.send(`${api}/desk/views`, json(view, elsewhere)),
    403,
    { code: 'views.create.other_site' },
  ],
  [
    'a deletion from another site',
    () => desk.operator.send('/api/sandbox/desk/deletions', json(deletion(), elsewhere)),
    403,
    { code: 'deletions.request.other_site' },
  ],
  [
    'a check from another site',
    () => desk.operator.send(`/api/sandbox/desk/actions/${open.action}`, { method: 'POST', headers: elsewhere }),
    403,
    { code: 'actions.check.other_site' },
  ],
]

const resolveRow = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'function' ? (value as () => unknown)() : value]))
const hash = expect.stringMatching(/^[0-9a-f]{32}$/)
const words = /canary|elsewhere|statement of the bank/i

test.each(cases)('%s leaves exactly one row', async (_what, ask, status, row) => {
  const before = await head()
  const response = await ask()
  const { error } = (await response.json()) as { error: { code: string } }
  expect({ status: response.status, error }).toMatchObject({ status })
  const who = {
    actor: expect.stringMatching(/^[0-9a-f-]{36}$/),
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: hash,
    network: hash,
  }
  const rows = await refusals(before)
  expect(rows).toMatchObject([{ ...resolveRow(row), ...who, refusal: error.code }])
  expect(JSON.stringify(rows)).not.toMatch(words)
})

describe('a refused page', () => {
  const opened = async (person: Person, path: string, row: Record<string, unknown>) => {
    const before = await head()
    await (await person.send(path)).text()
    expect(await refusals(before)).toMatchObject([{ ...row, refusal: 'forbidden', actor: expect.any(String) }])
  }

  test('of an account without a grant is audited once', () =>
    opened(limited, `/sandbox/payouts?account=acct_${foreign}`, { code: 'page.open.denied', environment: 'sandbox', account: foreign }))

  test('of the request log is audited for a viewer', () => opened(viewer, '/sandbox/activity', { code: 'activity.open.denied' }))

  test('of the settings is audited for a non-admin', () => opened(desk.operator, '/sandbox/settings', { code: 'settings.open.denied' }))

  test('is audited once, however many of its parts are refused', () =>
    opened(limited, `/sandbox/organizations?account=acct_${ownAccount}`, { code: 'organizations.list.denied', account: ownAccount }))
})
