import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { listPath, mirrorApiPath, type RecordResource, recordPath } from '@/lib/routes'
import { addLimitedPerson } from './harness/objects'
import { signIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
beforeAll(async () => {
  testStack = await startWholeDesk({ mirror: true })
})
afterAll(() => testStack?.stop())

type MirroredRow = { id: string; account: string | null; status: string }

/**
 * Returns the first row, by id, of a mirror table that matches `where`. `record is null` selects
 * objects that were never read by id.
 */
async function findMirrorRow(table: string, where: string): Promise<MirroredRow> {
  const firstRowSql = `select id, account_id as account, object ->> 'status' as status from mirror_${table} where ${where} order by id limit 1`
  const { rows } = await testStack.db.query(firstRowSql)
  return rows[0] as MirroredRow
}

const recordCases: [resource: RecordResource, table: string, where: string][] = [
  ['payouts', 'payments', "payment_type = 'payout' and record is null"],
  ['charges', 'payments', "payment_type = 'charge' and record is null"],
  ['customers', 'customers', 'record is null'],
  ['paykeys', 'paykeys', 'record is null'],
  ['funding_events', 'funding_events', 'record is null'],
  ['accounts', 'accounts', 'true'],
  ['organizations', 'organizations', 'true'],
  ['representatives', 'representatives', 'account_id is not null'],
  ['linked_bank_accounts', 'linked_bank_accounts', 'account_id is not null'],
]

/**
 * Returns the requests about an object that the service received after the request with the given
 * sequence number.
 */
const listRequestsAbout = async (id: string, afterSeq: number) =>
  (await testStack.sandbox.requests(afterSeq)).filter(({ path }) => path.includes(id))

/**
 * Returns the API path from which the browser reads an object of the mirror (our copy of the
 * service’s objects).
 */
const buildMirrorRecordPath = (resource: RecordResource, id: string, account?: string | null) =>
  mirrorApiPath(
    'sandbox',
    getServiceOperation(`${resource}.get`).path.replace(':id', id),
    '',
    account,
  )

const fetchPage = async (path: string, person = testStack.operator) => {
  const pageResponse = await person.send(path)
  return { status: pageResponse.status, text: await pageResponse.text() }
}

describe.each(recordCases)('a page of %s', (resource, table, where) => {
  test('renders from the mirror, without a service request about it', async () => {
    const { id } = await findMirrorRow(table, where)
    const seqBefore = await testStack.sandbox.lastSeq()
    const { status, text } = await fetchPage(recordPath('sandbox', resource, id))
    expect(status).toBe(200)
    expect(text).toMatch(/<h1[^>]*data-heading/)
    expect(text).toContain('As of ')
    expect(await listRequestsAbout(id, seqBefore)).toEqual([])
  })

  test('beside its list is in the first HTML, and its mirror row is returned without a service request', async () => {
    const { id, account } = await findMirrorRow(table, where)
    const lastSeqBefore = await testStack.sandbox.lastSeq()
    expect(
      (await fetchPage(listPath('sandbox', resource, { tab: 'all', open: id }))).text,
    ).toContain(`data-heading="${id}"`)
    const { status, body } = await testStack.operator.get<MirroredRow>(
      buildMirrorRecordPath(resource, id),
    )
    expect(status).toBe(200)
    expect(body.data?.id).toBe(id)
    expect(body.meta).toMatchObject({
      mirror: expect.arrayContaining(['id']),
      accounts: [account && `acct_${account}`],
    })
    expect(await listRequestsAbout(id, lastSeqBefore)).toEqual([])
  })
})

test('an unknown record is not found in the mirror, which sends no service request', async () => {
  const seqBeforeVisit = await testStack.sandbox.lastSeq()
  const unknownId = randomUUID()
  expect((await testStack.operator.get(buildMirrorRecordPath('payouts', unknownId))).status).toBe(
    404,
  )
  expect((await testStack.operator.get(buildMirrorRecordPath('payouts', 'no-id'))).status).toBe(422)
  expect(await listRequestsAbout(unknownId, seqBeforeVisit)).toEqual([])
})

test('a record missing from the mirror is read from the service and rendered from its response', async () => {
  const testStackWithoutMirror = await startWholeDesk()
  try {
    const { id } = await testStackWithoutMirror.sandbox.makePayout()
    const path = recordPath('sandbox', 'payouts', id)
    const { text } = await fetchPage(path, testStackWithoutMirror.operator)
    expect(text).toContain('Updated ')
    expect(text).not.toContain('As of ')
    const seqAfterFirstRead = await testStackWithoutMirror.sandbox.lastSeq()
    expect(seqAfterFirstRead).toBeGreaterThan(0)
    await waitUntil('its row', async () =>
      (await testStackWithoutMirror.db.query('select 1 from mirror_payments where id = $1', [id]))
        .rowCount === 1
        ? true
        : null,
    )
    expect((await fetchPage(path, testStackWithoutMirror.operator)).text).toContain('As of ')
    expect(
      (await testStackWithoutMirror.sandbox.requests(seqAfterFirstRead)).filter((request) =>
        request.path.includes(id),
      ),
    ).toEqual([])
  } finally {
    await testStackWithoutMirror.stop()
  }
})

test('a person limited to another account sees nothing of a hidden row', async () => {
  const { id, account } = await findMirrorRow('customers', 'account_id is not null')
  const { rows } = await testStack.db.query(
    'select id from mirror_accounts where id <> $1 order by id limit 1',
    [account],
  )
  const [ownAccount] = rows as { id: string }[]
  const email: `${string}@${string}` = `limited.${randomUUID().slice(0, 8)}@paydesk.test`
  await addLimitedPerson(testStack.db, email, 'operator', ownAccount?.id ?? '')
  const { rows: nameRows } = await testStack.db.query(
    "select object ->> 'name' as name from mirror_customers where id = $1",
    [id],
  )
  const limitedPerson = await signIn(testStack.dashboard.url, email)
  const { text } = await fetchPage(
    recordPath('sandbox', 'customers', id, { account: `acct_${ownAccount?.id}` }),
    limitedPerson,
  )
  expect(text).not.toContain((nameRows[0] as { name: string }).name)
  expect(text).toContain('Not found in ')
  const seqBeforeScopedReads = await testStack.sandbox.lastSeq()
  for (const scope of [`acct_${ownAccount?.id}`, `acct_${account}`, null]) {
    expect(
      (await limitedPerson.get(buildMirrorRecordPath('customers', id, scope))).status,
      String(scope),
    ).toBe(404)
  }
  const listPage = await fetchPage(
    listPath('sandbox', 'customers', { account: `acct_${ownAccount?.id}`, tab: 'all', open: id }),
    limitedPerson,
  )
  expect(listPage.text).not.toContain((nameRows[0] as { name: string }).name)
  expect(await listRequestsAbout(id, seqBeforeScopedReads)).toEqual([])
  const { text: operatorPageText } = await fetchPage(recordPath('sandbox', 'customers', id))
  expect(operatorPageText).toContain((nameRows[0] as { name: string }).name)
})

describe('with the service down', () => {
  beforeAll(() => testStack.sandbox.stop())

  test.each(recordCases)('a page of %s renders', async (resource, table, where) => {
    const { id } = await findMirrorRow(table, where)
    const { status, text } = await fetchPage(recordPath('sandbox', resource, id))
    expect(status).toBe(200)
    expect(text).toContain('As of ')
  })
})
