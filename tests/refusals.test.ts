import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addLimitedPerson, listActiveAccounts } from './harness/objects'
import { type Person, signIn } from './harness/person'
import { type RefusalDesk, refusalCases } from './harness/refusal-cases'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

type AuditRow = Record<string, unknown> & { code: string }

let testStack: WholeDesk
let refusalDesk: RefusalDesk

beforeAll(async () => {
  testStack = await openSharedDesk()
  const viewer = await signIn(testStack.dashboard.url, 'viewer')
  const [ownAccountId = '', foreignAccountId = ''] = await listActiveAccounts(testStack.operator)
  await addLimitedPerson(testStack.db, 'limited@paydesk.test', 'operator', ownAccountId)
  const limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
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
  const openAction = { id: payout.id, action: body.action?.id ?? '' }
  refusalDesk = { testStack, viewer, limitedPerson, ownAccountId, foreignAccountId, openAction }
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

const resolveExpectedAuditRow = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'function' ? (value as (from: RefusalDesk) => unknown)(refusalDesk) : value,
    ]),
  )
const anyHash = expect.stringMatching(/^[0-9a-f]{32}$/)
const requestTextPattern = /canary|elsewhere|statement of the bank/i

test.each(refusalCases)('%s leaves exactly one row', async (_what, ask, status, row) => {
  const seqBefore = await readLastAuditSeq()
  const refusalResponse = await ask(refusalDesk)
  const { error } = (await refusalResponse.json()) as { error: { code: string } }
  expect({ status: refusalResponse.status, error }).toMatchObject({ status })
  const expectedActor = {
    actor: expect.stringMatching(/^[0-9a-f-]{36}$/),
    session: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: anyHash,
    network: anyHash,
  }
  const rows = await listRefusalRows(seqBefore)
  expect(rows).toMatchObject([
    { ...resolveExpectedAuditRow(row), ...expectedActor, refusal: error.code },
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

  test('of an account without a grant is audited once', () => {
    const { limitedPerson, foreignAccountId } = refusalDesk
    return expectPageRefused(limitedPerson, `/sandbox/payouts?account=acct_${foreignAccountId}`, {
      code: 'page.open.denied',
      environment: 'sandbox',
      account: foreignAccountId,
    })
  })

  test('of the request log is audited for a viewer', () =>
    expectPageRefused(refusalDesk.viewer, '/sandbox/activity', { code: 'activity.open.denied' }))

  test('of the settings is audited for a non-admin', () =>
    expectPageRefused(testStack.operator, '/sandbox/settings', { code: 'settings.open.denied' }))

  test('is audited once, however many of its parts are refused', () => {
    const { limitedPerson, ownAccountId } = refusalDesk
    return expectPageRefused(limitedPerson, `/sandbox/organizations?account=acct_${ownAccountId}`, {
      code: 'organizations.list.denied',
      account: ownAccountId,
    })
  })
})
