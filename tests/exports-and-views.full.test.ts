import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRecordCounter } from '@/lib/client/export'
import type { SavedView } from '@/lib/operations/saved-view'
import { goodReason, type Person, signIn } from './harness/person'
import { waitUntil } from './harness/wait-until'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let operator: Person
let viewer: Person
let admin: Person
let limitedPerson: Person
let accountId: string

beforeAll(async () => {
  testStack = await startWholeDesk({ payments: 2300, mirror: true })
  operator = testStack.operator
  viewer = await signIn(testStack.dashboard.url, 'viewer')
  admin = await signIn(testStack.dashboard.url, 'admin')
  const { body } = await operator.get<{ id: string }[]>('/api/sandbox/v1/accounts')
  accountId = body.data?.[0]?.id ?? ''
  await testStack.db.query(
    `with person as (
       insert into people (email, name, password_hash, demo)
       select 'limited@paydesk.test', 'Lea Limited', password_hash, true from people where email = 'operator@paydesk.test' returning id)
     insert into grants (person_id, role, environment, account_id) select id, 'operator', 'sandbox', $1::uuid from person`,
    [accountId],
  )
  limitedPerson = await signIn(testStack.dashboard.url, 'limited@paydesk.test')
})
afterAll(() => testStack?.stop())

const fetchExport = (person: Person, query: string, init: RequestInit = {}) =>
  person.send(`/api/sandbox/desk/exports/payments?${query}`, init)
const countCsvRows = (text: string) => {
  const counter = createRecordCounter()
  counter.take(text)
  return counter.count()
}
type ExportAuditRow = { code: string; promised?: number; written?: number; filters?: string[] }
const readExportAuditRows = async () =>
  (
    await testStack.db.query<{ body: string }>(
      `select body from audit where body::json ->> 'code' like 'payments.export.%' order by seq`,
    )
  ).rows.map((row) => JSON.parse(row.body) as ExportAuditRow)

describe('an export', () => {
  test('contains as many rows as announced and counted, and is audited without filter values', async () => {
    const exportQuery = 'payment_type=payout&search_text=a&zone=America/New_York'
    const searchReply = await operator.get<unknown[]>(
      '/api/sandbox/v1/payments?payment_type=payout&search_text=a&page_size=1',
    )
    const exportResponse = await fetchExport(operator, exportQuery)
    const csvText = await exportResponse.text()
    expect(exportResponse.headers.get('content-type')).toContain('text/csv')
    expect(Number(exportResponse.headers.get('export-count'))).toBe(
      searchReply.body.meta.total_items,
    )
    expect(countCsvRows(csvText)).toBe((searchReply.body.meta.total_items ?? 0) + 1)
    // The file begins with a UTF-8 byte order mark, but `text()` removes it.
    expect(csvText.startsWith('id,type,status')).toBe(true)
    expect(csvText).toContain('created_at America/New_York')
    const [start, end] = await readExportAuditRows()
    expect(start).toMatchObject({
      code: 'payments.export.start',
      promised: searchReply.body.meta.total_items,
      filters: ['payment_type', 'search_text'],
    })
    expect(end).toMatchObject({
      code: 'payments.export.applied',
      written: searchReply.body.meta.total_items,
    })
  })

  test('contains every payment once across several pages, and no contact data', async () => {
    const exportText = await (await fetchExport(operator, 'payment_type=charge,payout')).text()
    const exportedPaymentIds = [...exportText.matchAll(/^([0-9a-f]{8}-[0-9a-f-]{27}),/gm)].map(
      (match) => match[1],
    )
    const totalPaymentCount =
      (await operator.get<unknown[]>('/api/sandbox/v1/payments?page_size=1')).body.meta
        .total_items ?? 0
    expect(totalPaymentCount).toBeGreaterThan(2000)
    expect(exportedPaymentIds.length).toBe(totalPaymentCount)
    expect(new Set(exportedPaymentIds).size).toBe(totalPaymentCount)
    expect(exportText).not.toMatch(/@example|\+1\d{10}/)
  })

  test('escapes a value that a spreadsheet would execute', async () => {
    const createdPayout = await testStack.sandbox.makePayout({
      account_id: accountId,
      status: 'created',
    })
    const payoutReply = await operator.get<{ amount: string; payment_date: string }>(
      `/api/sandbox/v1/payouts/${createdPayout.id}?account=${createdPayout.account}`,
    )
    const payoutFields = {
      amount: Number(payoutReply.body.data?.amount),
      payment_date: payoutReply.body.data?.payment_date,
    }
    const fieldsWithFormula = { ...payoutFields, description: '=HYPERLINK("http://x","y")' }
    expect(
      (
        await operator.write(
          'PUT',
          `/payouts/${createdPayout.id}?account=${createdPayout.account}`,
          fieldsWithFormula,
          {
            reason: goodReason,
          },
        )
      ).status,
    ).toBe(200)
    const formulaExportText = await (
      await fetchExport(operator, `account=acct_${accountId}&payment_id=${createdPayout.id}`)
    ).text()
    expect(formulaExportText).toContain(`"'=HYPERLINK(""http://x"",""y"")"`)
  })

  test('is limited to the account of a limited person', async () => {
    expect((await fetchExport(limitedPerson, 'payment_type=payout')).status).toBe(403)
    const limitedExportResponse = await fetchExport(limitedPerson, `account=acct_${accountId}`)
    const paymentsReply = await operator.get<unknown[]>(
      `/api/sandbox/v1/payments?account=acct_${accountId}&page_size=1`,
    )
    expect(countCsvRows(await limitedExportResponse.text())).toBe(
      (paymentsReply.body.meta.total_items ?? 0) + 1,
    )
  })

  test('is refused for a viewer, another site or an invalid filter', async () => {
    expect((await fetchExport(viewer, 'payment_type=payout')).status).toBe(403)
    expect(
      (
        await fetchExport(operator, 'payment_type=payout', {
          headers: { 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(403)
    const invalidFilterResponse = await fetchExport(operator, 'min_amount=much')
    expect(await invalidFilterResponse.json()).toMatchObject({
      error: { code: 'invalid_input', items: [{ reference: 'min_amount' }] },
    })
    expect(await (await fetchExport(operator, 'zone=Mars/Base')).json()).toMatchObject({
      error: { items: [{ reference: 'zone' }] },
    })
  })

  test('is audited if it is canceled, and then the next one can start', async () => {
    // Adds so many rows that the server cannot write the whole export into the network buffers. The
    // export thus still runs when it is canceled.
    await testStack.db.query(
      `create temp table more as select p.* from mirror_payments p, generate_series(1, 20) where p.payment_type = 'charge'`,
    )
    await testStack.db.query('update more set id = gen_random_uuid()')
    await testStack.db.query('insert into mirror_payments select * from more')
    const abortController = new AbortController()
    const canceledExportResponse = await fetchExport(operator, 'payment_type=charge', {
      signal: abortController.signal,
    })
    await canceledExportResponse.body?.getReader().read()
    expect((await fetchExport(operator, 'payment_type=charge')).status).toBe(429)
    abortController.abort()
    await waitUntil('the end on record', async () =>
      (await readExportAuditRows()).some((row) => /cancelled|broken/.test(row.code)) ? true : null,
    )
    const nextExportResponse = await fetchExport(
      operator,
      'payment_type=payout&payment_status=on_hold',
    )
    expect(nextExportResponse.status).toBe(200)
    await nextExportResponse.text()
    await testStack.db.query('delete from mirror_payments where id in (select id from more)')
  })
})

describe('saved views', () => {
  const viewsPath = '/api/sandbox/desk/views'
  const toJsonInit = (body: unknown): RequestInit => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const addView = (person: Person, body: Record<string, unknown>) =>
    person.ask<SavedView>('POST', viewsPath, toJsonInit({ list: 'payments', search: '', ...body }))
  const listViewNames = async (person: Person) =>
    (await person.get<SavedView[]>(`${viewsPath}?list=payments`)).body.data?.map(
      (view) => view.name,
    )

  test('are private until they are shared, and store no scope or page', async () => {
    const viewReply = await addView(operator, {
      name: 'Returned',
      search: 'tab=returned&account=acct_1&page=3&open=x',
    })
    expect(viewReply).toMatchObject({
      status: 200,
      body: { data: { name: 'Returned', search: 'tab=returned', own: true, shared: false } },
    })
    expect(await listViewNames(admin)).not.toContain('Returned')
    await operator.ask(
      'PUT',
      `${viewsPath}/${viewReply.body.data?.id}`,
      toJsonInit({ shared: true }),
    )
    expect(await listViewNames(admin)).toContain('Returned')
    expect(await listViewNames(viewer)).toContain('Returned')
  })

  test('have names that are unique for each person', async () => {
    await addView(admin, { name: 'Mine' })
    expect(await addView(admin, { name: 'mine' })).toMatchObject({
      status: 422,
      body: { error: { items: [{ reference: 'name' }] } },
    })
    expect((await addView(operator, { name: 'Mine' })).status).toBe(200)
  })

  test('of a viewer are private, and only the owner or an admin changes a shared one', async () => {
    expect(await addView(viewer, { name: 'Shared by a viewer', shared: true })).toMatchObject({
      status: 403,
    })
    expect((await addView(viewer, { name: 'My own' })).status).toBe(200)
    const { body } = await addView(operator, { name: 'For all', shared: true })
    const viewId = body.data?.id
    expect((await viewer.ask('DELETE', `${viewsPath}/${viewId}`)).status).toBe(403)
    expect(
      (await admin.ask('PUT', `${viewsPath}/${viewId}`, toJsonInit({ name: 'For everybody' })))
        .status,
    ).toBe(200)
    expect((await admin.ask('DELETE', `${viewsPath}/${viewId}`)).status).toBe(200)
    expect((await operator.ask('DELETE', `${viewsPath}/${viewId}`)).status).toBe(404)
  })

  test('that are private do not exist for other people', async () => {
    const { body } = await addView(operator, { name: 'Quiet' })
    expect((await admin.ask('DELETE', `${viewsPath}/${body.data?.id}`)).status).toBe(404)
  })

  test('cannot be changed by another site, and errors name their field', async () => {
    expect(
      (
        await operator.ask('POST', viewsPath, {
          ...toJsonInit({ list: 'payments', name: 'x', search: '' }),
          headers: { origin: 'https://other.example' },
        })
      ).status,
    ).toBe(403)
    expect(await addView(operator, { name: ' ' })).toMatchObject({
      status: 422,
      body: { error: { items: [{ reference: 'name' }] } },
    })
    expect(await addView(operator, { name: 'x', list: 'secrets' })).toMatchObject({
      body: { error: { items: [{ reference: 'list' }] } },
    })
  })
})
