import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { goodReason, newKey, type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type Row = Record<string, unknown> & { code: string }

let desk: WholeDesk
let viewer: Person
let limitedPerson: Person
let ownAccount: string
let foreignAccount: string
let openAction: { id: string; action: string }

beforeAll(async () => {
  desk = await openSharedDesk()
  viewer = await signIn(desk.dashboard.url, 'viewer')
  ;[ownAccount = '', foreignAccount = ''] = await listActiveAccounts(desk.operator)
  await addLimitedPerson(desk.db, 'limited@paydesk.test', 'operator', ownAccount)
  limitedPerson = await signIn(desk.dashboard.url, 'limited@paydesk.test')
  const payout = await desk.sandbox.makePayout({ account_id: ownAccount })
  await desk.sandbox.fault({ operation: 'payouts.release', match: payout.id, kind: 'status', status: 500, body: 'none', count: 20 })
  const { body } = await desk.operator.decide('release', payout)
  openAction = { id: payout.id, action: body.action?.id ?? '' }
})
afterAll(() => desk?.stop())

const readLastSeq = async () => Number((await desk.db.query('select seq from audit_head')).rows[0].seq)
const readRowsSince = async (seq: number): Promise<Row[]> =>
  (await desk.db.query('select body::json as body from audit where seq > $1 order by seq', [seq])).rows.map((row) => row.body as Row)
/** Returns the audit rows about refusals. Omits the resolver's own rows. */
const listRefusals = async (seq: number) => (await readRowsSince(seq)).filter((row) => row.refusal !== undefined)

const toJsonInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const api = '/api/sandbox'

type RefusalCase = [what: string, ask: () => Promise<Response>, status: number, row: Record<string, unknown>]

const view = { list: 'payments', name: 'Canary name', search: 'search_text=canary' }
const sendRelease = (person: Pick<Person, 'send'>, headers: Record<string, string> = {}) =>
  person.send(`${api}/v1/payouts/${openAction.id}/release?account=acct_${ownAccount}`, {
    ...toJsonInit({ reason: goodReason }, { 'idempotency-key': newKey(), ...headers }),
    method: 'PUT',
  })
const decision = { outcome: 'refused', evidence: 'The statement of the bank shows no such payout.' }
const buildDeletion = () => ({
  id: randomUUID(),
  account: `acct_${ownAccount}`,
  customer_id: randomUUID(),
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
})

const cases: RefusalCase[] = [
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
    () => desk.operator.send(`${api}/desk/service-check`, { method: 'POST', headers: crossSiteHeaders }),
    403,
    { code: 'service.check.other_site' },
  ],
  [
    'a view shared by a viewer',
    () => viewer.send(`${api}/desk/views`, toJsonInit({ ...view, shared: true })),
    403,
    { code: 'views.create.denied' },
  ],
  [
    'a decision of a viewer',
    () => viewer.send(`/api/sandbox/desk/actions/${openAction.action}/decision`, toJsonInit(decision)),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${openAction.id}` },
  ],
  [
    'a check of a viewer',
    () => viewer.send(`/api/sandbox/desk/actions/${openAction.action}`, { method: 'POST' }),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${openAction.id}` },
  ],
  [
    'a release of a viewer',
    () => sendRelease(viewer),
    403,
    { code: 'payouts.release.denied', account: () => ownAccount, target: () => `payouts/${openAction.id}` },
  ],
  [
    'the account of somebody else',
    () => limitedPerson.send(`${api}/v1/payments?account=acct_${foreignAccount}`),
    403,
    { code: 'payments.search.denied', account: () => foreignAccount },
  ],
  [
    'the limits of another account',
    () => limitedPerson.send(`${api}/desk/limit-requests?account=acct_${foreignAccount}`),
    403,
    { code: 'limit_requests.list.denied', account: () => foreignAccount },
  ],
  [
    'a search in another account',
    () => limitedPerson.send(`${api}/desk/find?account=acct_${foreignAccount}`, { headers: { 'find-text': 'canary%40example.com' } }),
    403,
    { code: 'customers.by_email.denied', account: () => foreignAccount },
  ],
  [
    'an export of the whole platform',
    () => limitedPerson.send(`${api}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.search.denied' },
  ],
  [
    'a deletion asked for by a viewer',
    () => viewer.send('/api/sandbox/desk/deletions', toJsonInit(buildDeletion())),
    403,
    { code: 'deletions.request.denied', account: () => ownAccount, target: expect.stringMatching(/^customers\//) },
  ],
  ['a release from another site', () => sendRelease(desk.operator, crossSiteHeaders), 403, { code: 'payouts.release.other_site' }],
  [
    'a reveal from another site',
    () => desk.operator.send(`${api}/v1/customers/${openAction.id}/unmasked`, { headers: crossSiteHeaders }),
    403,
    { code: 'customers.unmask.other_site' },
  ],
  [
    'an export from another site',
    () => desk.operator.send(`${api}/desk/exports/payments`, { headers: crossSiteHeaders }),
    403,
    { code: 'payments.export.other_site' },
  ],
  [
    'a view from another site',
    () => desk.operator.send(`${api}/desk/views`, toJsonInit(view, crossSiteHeaders)),
    403,
    { code: 'views.create.other_site' },
  ],
  [
    'a deletion from another site',
    () => desk.operator.send('/api/sandbox/desk/deletions', toJsonInit(buildDeletion(), crossSiteHeaders)),
    403,
    { code: 'deletions.request.other_site' },
  ],
  [
    'a check from another site',
    () => desk.operator.send(`/api/sandbox/desk/actions/${openAction.action}`, { method: 'POST', headers: crossSiteHeaders }),
    403,
    { code: 'actions.check.other_site' },
  ],
]

const resolveRow = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'function' ? (value as () => unknown)() : value]))
const hash = expect.stringMatching(/^[0-9a-f]{32}$/)
const words = /canary|elsewhere|statement of the bank/i

test.each(cases)('%s leaves exactly one row', async (_what, ask, status, row) => {
  const seqBefore = await readLastSeq()
  const response = await ask()
  const { error } = (await response.json()) as { error: { code: string } }
  expect({ status: response.status, error }).toMatchObject({ status })
  const expectedActor = {
    actor: expect.stringMatching(/^[0-9a-f-]{36}$/),
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: hash,
    network: hash,
  }
  const rows = await listRefusals(seqBefore)
  expect(rows).toMatchObject([{ ...resolveRow(row), ...expectedActor, refusal: error.code }])
  expect(JSON.stringify(rows)).not.toMatch(words)
})

describe('a refused page', () => {
  const expectOpened = async (person: Person, path: string, row: Record<string, unknown>) => {
    const before = await readLastSeq()
    await (await person.send(path)).text()
    expect(await listRefusals(before)).toMatchObject([{ ...row, refusal: 'forbidden', actor: expect.any(String) }])
  }

  test('of an account without a grant is audited once', () =>
    expectOpened(limitedPerson, `/sandbox/payouts?account=acct_${foreignAccount}`, {
      code: 'page.open.denied',
      environment: 'sandbox',
      account: foreignAccount,
    }))

  test('of the request log is audited for a viewer', () => expectOpened(viewer, '/sandbox/activity', { code: 'activity.open.denied' }))

  test('of the settings is audited for a non-admin', () =>
    expectOpened(desk.operator, '/sandbox/settings', { code: 'settings.open.denied' }))

  test('is audited once, however many of its parts are refused', () =>
    expectOpened(limitedPerson, `/sandbox/organizations?account=acct_${ownAccount}`, {
      code: 'organizations.list.denied',
      account: ownAccount,
    }))
})
