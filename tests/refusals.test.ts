import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { createIdempotencyKey, goodReason, type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type AuditRow = Record<string, unknown> & { code: string }

let testStack: WholeDesk
let viewer: Person
let limitedPerson: Person
let ownAccountId: string
let foreignAccountId: string
let openAction: { id: string; action: string }

beforeAll(async () => {
  testStack = await openSharedDesk()
  viewer = await signIn(testStack.dashboard.url, 'viewer')
  ;[ownAccountId = '', foreignAccountId = ''] = await listActiveAccounts(testStack.operator)
  await addLimitedPerson(testStack.db, 'limited@paydesk.test', 'operator', ownAccountId)
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
  const payout = await testStack.sandbox.makePayout({ account_id: ownAccountId })
  await testStack.sandbox.fault({
    operation: 'payouts.release',
    match: payout.id,
    kind: 'status',
    status: 500,
    body: 'none',
    count: 20,
  })
  const { body } = await testStack.operator.decide('release', payout)
  openAction = { id: payout.id, action: body.action?.id ?? '' }
})
afterAll(() => testStack?.stop())

const readLastAuditSeq = async () =>
  Number((await testStack.db.query('select seq from audit_head')).rows[0].seq)
const readAuditRowsSince = async (seq: number): Promise<AuditRow[]> =>
  (
    await testStack.db.query('select body::json as body from audit where seq > $1 order by seq', [
      seq,
    ])
  ).rows.map((row) => row.body as AuditRow)
/**
 * Returns the audit rows of refusals after row `seq`. Omits all other rows, such as those that the
 * server writes while it retries `openAction` in the background.
 */
const listRefusalRows = async (seq: number) =>
  (await readAuditRowsSince(seq)).filter((row) => row.refusal !== undefined)

const toJsonInit = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const crossSiteHeaders = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
const apiPrefix = '/api/sandbox'

type RefusalCase = [
  what: string,
  ask: () => Promise<Response>,
  status: number,
  row: Record<string, unknown>,
]

const savedView = { list: 'payments', name: 'Canary name', search: 'search_text=canary' }
const sendRelease = (person: Pick<Person, 'send'>, headers: Record<string, string> = {}) =>
  person.send(`${apiPrefix}/v1/payouts/${openAction.id}/release?account=acct_${ownAccountId}`, {
    ...toJsonInit(
      { reason: goodReason },
      { 'idempotency-key': createIdempotencyKey(), ...headers },
    ),
    method: 'PUT',
  })
const outcomeDecision = {
  outcome: 'refused',
  evidence: 'The statement of the bank shows no such payout.',
}
const buildDeletionRequest = () => ({
  id: randomUUID(),
  account: `acct_${ownAccountId}`,
  customer_id: randomUUID(),
  asker: 'DATA_SUBJECT_REQUEST',
  basis: 'GDPR_17_1_B',
  identity_check: 'SIGNED_IN',
})

const refusalCases: RefusalCase[] = [
  [
    'an export of a viewer',
    () => viewer.send(`${apiPrefix}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.export.denied' },
  ],
  [
    'the request log read by a viewer',
    () => viewer.send(`${apiPrefix}/desk/requests`),
    403,
    { code: 'requests.list.denied' },
  ],
  [
    'a check of the connection by an operator',
    () => testStack.operator.send(`${apiPrefix}/desk/service-check`, { method: 'POST' }),
    403,
    { code: 'service.check.denied' },
  ],
  [
    'a check of the connection from another site',
    () =>
      testStack.operator.send(`${apiPrefix}/desk/service-check`, {
        method: 'POST',
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'service.check.other_site' },
  ],
  [
    'a view shared by a viewer',
    () => viewer.send(`${apiPrefix}/desk/views`, toJsonInit({ ...savedView, shared: true })),
    403,
    { code: 'views.create.denied' },
  ],
  [
    'a decision of a viewer',
    () =>
      viewer.send(
        `/api/sandbox/desk/actions/${openAction.action}/decision`,
        toJsonInit(outcomeDecision),
      ),
    403,
    {
      code: 'payouts.release.denied',
      account: () => ownAccountId,
      target: () => `payouts/${openAction.id}`,
    },
  ],
  [
    'a check of a viewer',
    () => viewer.send(`/api/sandbox/desk/actions/${openAction.action}`, { method: 'POST' }),
    403,
    {
      code: 'payouts.release.denied',
      account: () => ownAccountId,
      target: () => `payouts/${openAction.id}`,
    },
  ],
  [
    'a release of a viewer',
    () => sendRelease(viewer),
    403,
    {
      code: 'payouts.release.denied',
      account: () => ownAccountId,
      target: () => `payouts/${openAction.id}`,
    },
  ],
  [
    'the account of somebody else',
    () => limitedPerson.send(`${apiPrefix}/v1/payments?account=acct_${foreignAccountId}`),
    403,
    { code: 'payments.search.denied', account: () => foreignAccountId },
  ],
  [
    'the limits of another account',
    () => limitedPerson.send(`${apiPrefix}/desk/limit-requests?account=acct_${foreignAccountId}`),
    403,
    { code: 'limit_requests.list.denied', account: () => foreignAccountId },
  ],
  [
    'a search in another account',
    () =>
      limitedPerson.send(`${apiPrefix}/desk/find?account=acct_${foreignAccountId}`, {
        headers: { 'find-text': 'canary%40example.com' },
      }),
    403,
    { code: 'customers.by_email.denied', account: () => foreignAccountId },
  ],
  [
    'an export of the whole platform',
    () => limitedPerson.send(`${apiPrefix}/desk/exports/payments?payment_type=payout`),
    403,
    { code: 'payments.search.denied' },
  ],
  [
    'a deletion asked for by a viewer',
    () => viewer.send('/api/sandbox/desk/deletions', toJsonInit(buildDeletionRequest())),
    403,
    {
      code: 'deletions.request.denied',
      account: () => ownAccountId,
      target: expect.stringMatching(/^customers\//),
    },
  ],
  [
    'a release from another site',
    () => sendRelease(testStack.operator, crossSiteHeaders),
    403,
    { code: 'payouts.release.other_site' },
  ],
  [
    'a reveal from another site',
    () =>
      testStack.operator.send(`${apiPrefix}/v1/customers/${openAction.id}/unmasked`, {
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'customers.unmask.other_site' },
  ],
  [
    'an export from another site',
    () =>
      testStack.operator.send(`${apiPrefix}/desk/exports/payments`, { headers: crossSiteHeaders }),
    403,
    { code: 'payments.export.other_site' },
  ],
  [
    'a view from another site',
    () =>
      testStack.operator.send(`${apiPrefix}/desk/views`, toJsonInit(savedView, crossSiteHeaders)),
    403,
    { code: 'views.create.other_site' },
  ],
  [
    'a deletion from another site',
    () =>
      testStack.operator.send(
        '/api/sandbox/desk/deletions',
        toJsonInit(buildDeletionRequest(), crossSiteHeaders),
      ),
    403,
    { code: 'deletions.request.other_site' },
  ],
  [
    'a check from another site',
    () =>
      testStack.operator.send(`/api/sandbox/desk/actions/${openAction.action}`, {
        method: 'POST',
        headers: crossSiteHeaders,
      }),
    403,
    { code: 'actions.check.other_site' },
  ],
]

const resolveExpectedRow = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'function' ? (value as () => unknown)() : value,
    ]),
  )
const anyHash = expect.stringMatching(/^[0-9a-f]{32}$/)
const requestTextPattern = /canary|elsewhere|statement of the bank/i

test.each(refusalCases)('%s leaves exactly one row', async (_what, ask, status, row) => {
  const seqBefore = await readLastAuditSeq()
  const response = await ask()
  const { error } = (await response.json()) as { error: { code: string } }
  expect({ status: response.status, error }).toMatchObject({ status })
  const expectedActor = {
    actor: expect.stringMatching(/^[0-9a-f-]{36}$/),
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: anyHash,
    network: anyHash,
  }
  const rows = await listRefusalRows(seqBefore)
  expect(rows).toMatchObject([
    { ...resolveExpectedRow(row), ...expectedActor, refusal: error.code },
  ])
  expect(JSON.stringify(rows)).not.toMatch(requestTextPattern)
})

describe('a refused page', () => {
  const expectPageRefused = async (
    person: Person,
    path: string,
    expectedRow: Record<string, unknown>,
  ) => {
    const auditSeqBefore = await readLastAuditSeq()
    await (await person.send(path)).text()
    expect(await listRefusalRows(auditSeqBefore)).toMatchObject([
      { ...expectedRow, refusal: 'forbidden', actor: expect.any(String) },
    ])
  }

  test('of an account without a grant is audited once', () =>
    expectPageRefused(limitedPerson, `/sandbox/payouts?account=acct_${foreignAccountId}`, {
      code: 'page.open.denied',
      environment: 'sandbox',
      account: foreignAccountId,
    }))

  test('of the request log is audited for a viewer', () =>
    expectPageRefused(viewer, '/sandbox/activity', { code: 'activity.open.denied' }))

  test('of the settings is audited for a non-admin', () =>
    expectPageRefused(testStack.operator, '/sandbox/settings', { code: 'settings.open.denied' }))

  test('is audited once, however many of its parts are refused', () =>
    expectPageRefused(limitedPerson, `/sandbox/organizations?account=acct_${ownAccountId}`, {
      code: 'organizations.list.denied',
      account: ownAccountId,
    }))
})
