import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemas } from '@/lib/operations/registry'
import { forgetObjects } from '@/lib/server/mirror/forget'
import { storeAccounts } from '@/lib/server/mirror/object-accounts'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { database } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

const [first, second, third] = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z', '2026-03-03T10:00:00.000Z']
const environment = 'sandbox' as const

type Fields = Record<string, unknown>
const customerFields = (customer: string) => ({
  id: customer,
  name: 'Ana Example',
  customer_type: 'individual',
  email: 'ana@example.com',
  phone: '+15125550100',
})

const buildSentSummary = (id: string, more: Fields = {}) => ({
  ...{
    id,
    payment_type: 'payout',
    payment_date: '2026-03-04',
    description: 'Rent of March',
    external_id: 'REF-1',
    amount: '12500',
    currency: 'USD',
  },
  ...{ status: 'created', status_details: { reason: 'ok', source: 'system', message: 'Created', changed_at: first } },
  ...{ funding_ids: [], trace_ids: {}, related_payments: [], created_at: first, updated_at: first, metadata: { order: '7' } },
  ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false, ...more },
})
const buildSummary = (id: string, more: Fields = {}) => {
  const [read] = schemas['payments.search'].output.parse([buildSentSummary(id, more)])
  if (!read) throw new Error('nothing was read')
  return read
}
const buildPayout = (id: string, more: Fields = {}) => {
  const { payment_type: _type, has_refund: _flag, ...sent } = buildSentSummary(id, more)
  return schemas['payouts.get'].output.parse({
    ...sent,
    paykey: '255***.02.******78f',
    status_history: [{ status: 'created', reason: 'ok', source: 'system', message: 'Created', changed_at: first }],
  })
}

type KeepInput = Parameters<typeof upsertObjects>[0]
const buildOptions = (more: Partial<KeepInput> = {}) => ({
  environment,
  account: null,
  seenBy: 'read' as const,
  seenAt: new Date(first),
  ...more,
})
const upsertListed = (objects: Parameters<typeof upsertObjects<'payments'>>[0]['objects'], more: Partial<KeepInput> = {}) =>
  upsertObjects({ ...buildOptions(more), resource: 'payments', objects })
const keepRecords = (objects: ReturnType<typeof buildPayout>[], more: Partial<KeepInput> = {}) =>
  upsertObjects({ ...buildOptions(more), resource: 'payouts', objects })

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openOwnStore(kind)
  })
  afterAll(() => closeStore?.())

  const readRow = async (id: string, table = 'mirror_payments') => {
    const { rows } = (await (
      await database()
    ).execute(sql`select * from ${sql.identifier(table)} where environment = ${environment} and id = ${id}`)) as unknown as {
      rows: (Fields & { object: Fields; record: Fields | null; account_id: string | null })[]
    }
    return rows[0]
  }

  test('a row is replaced only by a newer version, and its change is reported', async () => {
    const id = randomUUID()
    expect(await upsertListed([buildSummary(id)])).toEqual([{ id, account: null, isNew: true }])
    expect(await upsertListed([buildSummary(id)])).toEqual([])
    expect(await upsertListed([buildSummary(id, { status: 'paid', updated_at: second })])).toEqual([{ id, account: null, isNew: false }])
    expect(await upsertListed([buildSummary(id, { status: 'pending' })], { seenAt: new Date(third) })).toEqual([])
    expect(await readRow(id)).toMatchObject({ status: 'paid', object: { status: 'paid', amount: '12500' }, amount: expect.anything() })
  })

  test('of two versions with the same time the later status change wins, then the later read', async () => {
    const id = randomUUID()
    const onHoldFields = { status: 'on_hold', status_details: { changed_at: second } }
    await upsertListed([buildSummary(id, onHoldFields)], { seenAt: new Date(second) })
    await upsertListed([buildSummary(id)], { seenAt: new Date(third) })
    expect(await readRow(id)).toMatchObject({ status: 'on_hold' })
    await upsertListed([buildSummary(id, { ...onHoldFields, description: 'Rent of April' })], { seenAt: new Date(first) })
    expect(await readRow(id)).toMatchObject({ object: { description: 'Rent of March' } })
    await upsertListed([buildSummary(id, { ...onHoldFields, description: 'Rent of April' })], { seenAt: new Date(third) })
    expect(await readRow(id)).toMatchObject({ object: { description: 'Rent of April' } })
  })

  test('a version without any time is as new as its read', async () => {
    const id = randomUUID()
    const fieldsWithoutTime = { updated_at: null, status_details: null }
    await upsertListed([buildSummary(id)], { seenAt: new Date(second) })
    await upsertListed([buildSummary(id, { ...fieldsWithoutTime, status: 'paid' })], { seenAt: new Date(first) })
    expect(await readRow(id)).toMatchObject({ status: 'created' })
    await upsertListed([buildSummary(id, { ...fieldsWithoutTime, status: 'paid' })], { seenAt: new Date(third) })
    expect(await readRow(id)).toMatchObject({ status: 'paid' })
  })

  test('a list and a single read of a payment do not overwrite each other’s fields', async () => {
    const id = randomUUID()
    await keepRecords([buildPayout(id)])
    expect((await readRow(id))?.object).toEqual(JSON.parse(JSON.stringify(buildSummary(id))))
    const { metadata: _metadata, ...without } = buildSummary(id, { status: 'paid', updated_at: second })
    await upsertListed([without], { seenAt: new Date(second) })
    const rowAfter = await readRow(id)
    expect(rowAfter?.object).toEqual(JSON.parse(JSON.stringify(buildSummary(id, { status: 'paid', updated_at: second }))))
    expect(rowAfter?.record).toMatchObject({ status: 'created', status_history: [{ status: 'created' }] })
    await keepRecords([buildPayout(id, { status: 'reversed', updated_at: third, metadata: {} })], { seenAt: new Date(third) })
    expect(await readRow(id)).toMatchObject({ object: { status: 'reversed', metadata: {} }, record: { status: 'reversed' } })
  })

  test('a record is shown as read alone while that is current, and otherwise as lists show it', async () => {
    const id = randomUUID()
    const unlimitedActor = { grants: [{ role: 'viewer' as const, environment, accountId: null }] }
    const readRecord = async () => (await readMirrorObject(unlimitedActor, 'payouts.get', id, { environment, accountId: null }))?.data
    const recordOnlyFields = ['device', 'config', 'status_history', 'payment_rail', 'processed_at', 'documents'].map((field) => ({
      field,
      raw: '',
    }))
    expect(await readRecord()).toBeUndefined()
    await upsertListed([buildSummary(id)])
    expect(await readRecord()).toMatchObject({
      status: 'created',
      metadata: { order: '7' },
      status_history: [],
      documents: [],
      unreadable: recordOnlyFields,
    })
    await keepRecords([buildPayout(id)], { seenAt: new Date(second) })
    await upsertListed([buildSummary(id)], { seenAt: new Date(third) })
    expect(await readRecord()).toEqual(JSON.parse(JSON.stringify(buildPayout(id))))
    await upsertListed([buildSummary(id, { status: 'paid', updated_at: second })], { seenAt: new Date(third) })
    expect(await readRecord()).toMatchObject({ status: 'paid', status_history: [], unreadable: recordOnlyFields })
  })

  test('stores no token, and masked data stays masked', async () => {
    const id = randomUUID()
    await keepRecords([buildPayout(id, { customer_details: customerFields(randomUUID()) })])
    const row = JSON.stringify(await readRow(id))
    expect(row).toContain('a•••@example.com')
    for (const secret of ['ana@example.com', '5125550100', '255***']) expect(row).not.toContain(secret)
  })

  test('stores a known account permanently, from the call, a write or the customer', async () => {
    const [account, other] = [randomUUID(), randomUUID()]
    const [told, written, ofCustomer, customer] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await upsertListed([buildSummary(told)], { account })
    await upsertListed([buildSummary(told, { updated_at: second })], { seenAt: new Date(second) })
    expect(await readRow(told)).toMatchObject({ account_id: account })

    await upsertListed([buildSummary(written, { updated_at: third })], { seenAt: new Date(third) })
    await storeAccounts(environment, [`payouts/${written}`], other)
    expect(await upsertListed([buildSummary(written)])).toEqual([])
    expect(await readRow(written)).toMatchObject({ account_id: other, object: { updated_at: third } })

    const [known] = schemas['customers.list'].output.parse([{ id: customer, name: 'Ana', status: 'verified', updated_at: first }])
    await upsertObjects({ ...buildOptions({ account }), resource: 'customers', objects: known ? [known] : [] })
    await upsertListed([buildSummary(ofCustomer, { customer_details: customerFields(customer) })])
    expect(await readRow(ofCustomer)).toMatchObject({ account_id: account })
  })

  test('an account named by the object itself overrides the account of the call', async () => {
    const [account, other, linked, platform] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    const objects = [{ id: linked, account_id: account }, { id: platform }].map((sent) =>
      schemas['linked_bank_accounts.get'].output.parse(sent),
    )
    await upsertObjects({ ...buildOptions({ account: other }), resource: 'linked_bank_accounts', objects })
    expect(await readRow(linked, 'mirror_linked_bank_accounts')).toMatchObject({ account_id: account })
    expect(await readRow(platform, 'mirror_linked_bank_accounts')).toMatchObject({ account_id: null })
  })

  test('an object that occurs twice is stored once, in its newer version', async () => {
    const id = randomUUID()
    await upsertListed([buildSummary(id, { status: 'paid', updated_at: second }), buildSummary(id)])
    expect(await readRow(id)).toMatchObject({ status: 'paid' })
  })

  test('values that do not fit a column do not block other rows', async () => {
    const [odd, even] = [randomUUID(), randomUUID()]
    const longText = '😀x'.repeat(4000)
    const longFields = {
      external_id: longText,
      description: longText,
      amount: '1.5',
      payment_date: '0000-01-01',
      created_at: '0000-01-01T00:00:00Z',
    }
    await upsertListed([buildSummary(odd, { ...longFields, status_details: { reason: longText } }), buildSummary(even)])
    expect(await readRow(odd)).toMatchObject({ amount: null, payment_date: null, created_at: null, object: { external_id: longText } })
    expect(await readRow(even)).toBeDefined()
  })

  test('a deleted customer is removed from its payments, and a pending response does not restore it', async () => {
    const [customer, id, late] = [randomUUID(), randomUUID(), randomUUID()]
    const sentCustomer = { id: customer, name: 'Ana Example', status: 'verified', updated_at: first }
    const customers = schemas['customers.list'].output.parse([sentCustomer])
    await upsertObjects({ ...buildOptions(), resource: 'customers', objects: customers })
    await keepRecords([buildPayout(id, { customer_details: customerFields(customer) })])
    await forgetObjects(environment, 'customers', [customer])
    await upsertObjects({ ...buildOptions({ seenAt: new Date(third) }), resource: 'customers', objects: customers })
    await keepRecords([buildPayout(late, { customer_details: customerFields(customer) })])
    expect(await readRow(customer, 'mirror_customers')).toBeUndefined()
    for (const payment of [id, late]) {
      expect(await readRow(payment)).toMatchObject({ customer_id: customer, object: { customer_details: { id: customer } } })
      expect(JSON.stringify(await readRow(payment))).not.toMatch(/Ana|example\.com|0100/)
    }
  })

  test('concurrent writers leave the newest version', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID())
    const rounds = Array.from({ length: 8 }, (_, round) => `2026-02-0${round + 1}T00:00:00.000Z`)
    const storeSummaries = (at: string) =>
      upsertListed(ids.map((id) => buildSummary(id, { updated_at: at })).sort(() => Math.random() - 0.5))
    await Promise.all(rounds.toSorted(() => Math.random() - 0.5).map(storeSummaries))
    for (const id of ids) expect(await readRow(id)).toMatchObject({ object: { updated_at: rounds.at(-1) } })
  })
})
