import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportedList } from '@/lib/operations/desk/exports'
import { parseCsv } from './harness/csv'
import { postJson } from './harness/deletions'
import { type Person, signIn } from './harness/person'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let viewer: Person
beforeAll(async () => {
  testStack = await startWholeDesk({ payments: 1200, mirror: true })
  viewer = await signIn(testStack.dashboard.url, 'viewer')
})
afterAll(() => testStack?.stop())

const fetchExport = (person: Person, list: ExportedList, query = '') =>
  person.send(`/api/sandbox/desk/exports/${list}?${query}`)
const fetchExportRows = async (list: ExportedList, query = '') =>
  parseCsv(await (await fetchExport(testStack.operator, list, query)).text())
const fetchTotalCount = async (path: string) =>
  (
    await testStack.operator.get<unknown[]>(
      `/api/sandbox/v1${path}${path.includes('?') ? '&' : '?'}page_size=1`,
    )
  ).body.meta.total_items

const exportedLists: [list: ExportedList, path: string, namesAccounts: boolean][] = [
  ['payouts', '/payments?payment_type=payout', true],
  ['charges', '/payments?payment_type=charge', true],
  ['payments', '/payments', true],
  ['paykeys', '/paykeys', true],
  ['customers', '/customers', true],
  ['accounts', '/accounts', false],
  ['organizations', '/organizations', false],
  ['representatives', '/representatives', true],
  ['linked_bank_accounts', '/linked_bank_accounts', true],
  ['funding_events', '/funding_events', true],
]

describe.each(exportedLists)('the list of %s', (list, path, namesAccounts) => {
  test('is exported completely, each row once with its account, and audited', async () => {
    const exportResponse = await fetchExport(testStack.operator, list, '&zone=America/New_York')
    expect(exportResponse.status).toBe(200)
    const exportRows = parseCsv(await exportResponse.text())
    const expectedCount = await fetchTotalCount(path)
    expect(expectedCount).toBeGreaterThan(0)
    expect([
      Number(exportResponse.headers.get('export-count')),
      exportRows.length,
      new Set(exportRows.map(({ id }) => id)).size,
    ]).toEqual([expectedCount, expectedCount, expectedCount])
    expect(exportResponse.headers.get('content-disposition')).toContain(
      `"${list.replaceAll('_', '-')}-sandbox-`,
    )
    if (namesAccounts)
      expect(
        exportRows.filter((row) => !row.account_name || row.account_name === 'not yet known'),
      ).toEqual([])
    const { rows: auditRows } = await testStack.db.query<{ body: Record<string, unknown> }>(
      `select body::json as body from audit where body::json ->> 'code' like $1 order by seq`,
      [`${list}.export.%`],
    )
    expect(auditRows.slice(-2).map(({ body }) => body)).toEqual([
      expect.objectContaining({ code: `${list}.export.start`, promised: expectedCount }),
      expect.objectContaining({ code: `${list}.export.applied`, written: expectedCount }),
    ])
  })

  test('contains each time in UTC and in the person’s zone, or once if both are UTC', async () => {
    const [row = {}] = await fetchExportRows(list, '&zone=America/New_York')
    expect(row.created_at_utc).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(row['created_at America/New_York']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const utcExportColumns = Object.keys((await fetchExportRows(list, '&zone=Etc/UTC'))[0] ?? {})
    expect(utcExportColumns.filter((head) => head.startsWith('created_at'))).toEqual([
      'created_at_utc',
    ])
  })

  test('contains no contact data, full number or token', async () => {
    const exportText = await (await fetchExport(testStack.operator, list)).text()
    expect(exportText).not.toMatch(/@[\w-]+\.\w|\+1\d{10}|\b\d{3}-\d\d-\d{4}\b/)
    expect(exportText.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')).not.toMatch(
      /account_number"?,?\d{5,}/,
    )
  })

  test('is refused for a viewer and audited under its own name', async () => {
    const seqBefore = Number((await testStack.db.query('select seq from audit_head')).rows[0].seq)
    expect((await fetchExport(viewer, list)).status).toBe(403)
    const { rows } = await testStack.db.query(
      'select body::json as body from audit where seq > $1',
      [seqBefore],
    )
    expect(rows.map(({ body }) => body.code)).toEqual([`${list}.export.denied`])
  })

  test('rejects an unknown filter by name', async () => {
    expect(await (await fetchExport(testStack.operator, list, '&nonsense=1')).json()).toMatchObject(
      {
        error: { code: 'invalid_input', items: [{ reference: 'nonsense' }] },
      },
    )
  })
})

test('amounts of funding events have the sign from the linked bank account’s view', async () => {
  const rows = await fetchExportRows('funding_events')
  const directionSignPairs = new Set(
    rows.map(({ direction, amount }) => `${direction} ${Math.sign(Number(amount))}`),
  )
  expect(directionSignPairs).toEqual(new Set(['deposit 1', 'withdrawal -1']))
  expect(
    rows.filter(
      ({ amount, amount_cents }) => Math.round(Number(amount) * 100) !== Number(amount_cents),
    ),
  ).toEqual([])
})

test('an export has the order and columns of the list, and its filter in the file name', async () => {
  const query = 'payment_status=paid&sort_by=amount&sort_order=asc&hidden=bank,date'
  const response = await fetchExport(testStack.operator, 'payouts', query)
  expect(response.headers.get('content-disposition')).toMatch(
    /"payouts-sandbox-payment-status-paid-\d{4}-\d\d-\d\d\.csv"/,
  )
  const rows = parseCsv(await response.text())
  const amounts = rows.map(({ amount_cents }) => Number(amount_cents))
  expect(amounts.length).toBeGreaterThan(10)
  expect(amounts).toEqual(amounts.toSorted((one, other) => one - other))
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['paid']))
  const [row = {}] = rows
  expect(row).not.toHaveProperty('bank_account')
  expect(row).not.toHaveProperty('payment_date')
  expect(row.paykey_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(row.trace_numbers).toMatch(/^\d{15}$/)
  expect(row.status_message).not.toBe('')
})

test('the export of payouts contains only payouts, whatever the query', async () => {
  const rows = await fetchExportRows('payouts', '&payment_type=charge')
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['payout']))
})

test('an unknown list is 404', async () => {
  const unknownListResponse = await testStack.operator.send('/api/sandbox/desk/exports/secrets')
  expect([unknownListResponse.status, await unknownListResponse.json()]).toMatchObject([
    404,
    { error: { code: 'not_found' } },
  ])
})

describe('the request log', () => {
  test('is exported up to now with the filters of its page, and each account by name', async () => {
    const requestsPath = '/api/sandbox/desk/requests?operation=accounts.list'
    const { body } = await testStack.operator.get<unknown[]>(requestsPath)
    const rows = await fetchExportRows('requests', '&operation=accounts.list&zone=America/New_York')
    expect(rows.length).toBeGreaterThanOrEqual(body.meta.total_items ?? 1)
    expect(new Set(rows.map(({ operation }) => operation))).toEqual(new Set(['accounts.list']))
    expect(rows[0]).toMatchObject({
      person: expect.stringMatching(/./),
      account_name: 'the platform',
    })
    expect(rows[0]?.at_utc).toMatch(/Z$/)
  })

  test.each(['operation=nonsense', 'from=yesterday', 'color=red'])(
    'rejects %s instead of ignoring it',
    async (query) => {
      const [reference] = query.split('=')
      expect(
        await (await fetchExport(testStack.operator, 'requests', `&${query}`)).json(),
      ).toMatchObject({
        error: { items: [{ reference }] },
      })
    },
  )

  test('is refused for a viewer', async () => {
    expect((await fetchExport(viewer, 'requests')).status).toBe(403)
  })
})

describe('open items and usage', () => {
  test('the limits of active accounts have a row for each payment type, with the usage', async () => {
    const activeAccountCount = await fetchTotalCount('/accounts?status=active')
    const rows = await fetchExportRows('limits')
    expect(rows).toHaveLength(2 * (activeAccountCount ?? 0))
    expect(new Set(rows.map(({ payment_type }) => payment_type))).toEqual(
      new Set(['charges', 'payouts']),
    )
    expect(rows.filter((row) => row.could_not_be_read || !row.account_name)).toEqual([])
    for (const row of rows) expect(row.monthly_amount_used).toMatch(/^\d+\.\d\d$/)
    const [{ account = '' } = {}] = rows
    expect(
      (await fetchExportRows('limits', `&account=${account}`)).map((row) => row.account),
    ).toEqual([account, account])
  })

  test('open limit requests include those of the service', async () => {
    const rows = await fetchExportRows('limit_requests')
    expect(rows.filter(({ made_in, account_name }) => !made_in || !account_name)).toEqual([])
  })

  test('an action with an unknown outcome is a row until it is settled', async () => {
    expect(await fetchExportRows('open_actions')).toEqual([])
    const payout = await testStack.sandbox.makePayout()
    await testStack.sandbox.fault({
      operation: 'payouts.release',
      match: payout.id,
      kind: 'status',
      status: 500,
      body: 'none',
      count: null,
    })
    const { body } = await testStack.operator.decide('release', payout)
    expect(await fetchExportRows('open_actions')).toEqual([
      expect.objectContaining({
        id: body.action?.id,
        operation: 'payouts.release',
        target: `payouts/${payout.id}`,
        person: 'Omar Operator',
      }),
    ])
    await testStack.sandbox.clearFaults()
  })

  test.each(['limits', 'limit_requests', 'open_actions'] as const)(
    '%s: the export is refused for a viewer and for an unknown filter',
    async (list) => {
      expect((await fetchExport(viewer, list)).status).toBe(403)
      expect(
        await (await fetchExport(testStack.operator, list, '&color=red')).json(),
      ).toMatchObject({
        error: { items: [{ reference: 'color' }] },
      })
    },
  )
})

describe('the deletions', () => {
  test('are exported with one state or all', async () => {
    const [customer] = await fetchExportRows('customers')
    const deletionRequesterFields = {
      asker: 'DATA_SUBJECT_REQUEST',
      basis: 'GDPR_17_1_B',
      identity_check: 'SIGNED_IN',
      ticket: 'PRIV-1234',
    }
    const customerFields = {
      id: randomUUID(),
      account: customer?.account,
      customer_id: customer?.id,
    }
    expect(
      await postJson(testStack.operator, '/api/sandbox/desk/deletions', {
        ...customerFields,
        ...deletionRequesterFields,
        due_on: '2030-12-24',
      }),
    ).toMatchObject({
      status: 201,
    })
    expect(await fetchExportRows('deletions')).toEqual([
      expect.objectContaining({
        customer_id: customer?.id,
        state: 'requested',
        account: customer?.account,
      }),
    ])
    expect(await fetchExportRows('deletions', '&state=executed')).toEqual([])
    const matchingFilters = {
      created_from: '2020-01-01T00:00:00Z',
      due_to: '2030-12-24',
      asker: 'DATA_SUBJECT_REQUEST',
      search_text: 'priv-12',
    }
    for (const [name, value] of Object.entries(matchingFilters))
      expect(await fetchExportRows('deletions', `&${name}=${value}`), name).toHaveLength(1)
    const nonMatchingFilters = {
      created_to: '2020-01-01T00:00:00Z',
      due_from: '2030-12-25',
      asker: 'RETENTION_END',
      search_text: 'priv-9',
    }
    for (const [name, value] of Object.entries(nonMatchingFilters))
      expect(await fetchExportRows('deletions', `&${name}=${value}`), name).toEqual([])
    for (const [name, value] of Object.entries({ state: 'gone', due_from: 'soon', color: 'red' })) {
      const invalidFilterResponse = await fetchExport(
        testStack.operator,
        'deletions',
        `&${name}=${value}`,
      )
      expect(await invalidFilterResponse.json()).toMatchObject({
        error: { code: 'invalid_input', items: [{ reference: name }] },
      })
    }
    expect((await fetchExport(viewer, 'deletions')).status).toBe(403)
  })
})
