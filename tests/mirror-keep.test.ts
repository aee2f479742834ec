import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { deleteMirroredObjects } from '@/lib/server/mirror/forget'
import { storeAccounts } from '@/lib/server/mirror/object-accounts'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { getDatabase } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

const [firstTime, secondTime, thirdTime] = [
  '2026-03-01T10:00:00.000Z',
  '2026-03-02T10:00:00.000Z',
  '2026-03-03T10:00:00.000Z',
]
const environment = 'sandbox' as const

type Fields = Record<string, unknown>
const buildCustomerFields = (customerId: string) => ({
  id: customerId,
  name: 'Ana Example',
  customer_type: 'individual',
  email: 'ana@example.com',
  phone: '+15125550100',
})

const buildRawPaymentSummary = (id: string, more: Fields = {}) => ({
  ...{
    id,
    payment_type: 'payout',
    payment_date: '2026-03-04',
    description: 'Rent of March',
    external_id: 'REF-1',
    amount: '12500',
    currency: 'USD',
  },
  ...{
    status: 'created',
    status_details: { reason: 'ok', source: 'system', message: 'Created', changed_at: firstTime },
  },
  ...{
    funding_ids: [],
    trace_ids: {},
    related_payments: [],
    created_at: firstTime,
    updated_at: firstTime,
    metadata: { order: '7' },
  },
  ...{ is_refund: false, has_refund: false, is_resubmit: false, has_resubmit: false, ...more },
})
const buildPaymentSummary = (id: string, more: Fields = {}) => {
  const [parsedSummary] = schemasByOperation['payments.search'].output.parse([
    buildRawPaymentSummary(id, more),
  ])
  if (!parsedSummary) throw new Error('nothing was read')
  return parsedSummary
}
const buildPayout = (id: string, more: Fields = {}) => {
  const { payment_type: _type, has_refund: _flag, ...sent } = buildRawPaymentSummary(id, more)
  return schemasByOperation['payouts.get'].output.parse({
    ...sent,
    paykey: '255***.02.******78f',
    status_history: [
      {
        status: 'created',
        reason: 'ok',
        source: 'system',
        message: 'Created',
        changed_at: firstTime,
      },
    ],
  })
}

type UpsertInput = Parameters<typeof upsertObjects>[0]
const buildUpsertOptions = (more: Partial<UpsertInput> = {}) => ({
  environment,
  account: null,
  seenBy: 'read' as const,
  seenAt: new Date(firstTime),
  ...more,
})
const upsertListedPayments = (
  objects: Parameters<typeof upsertObjects<'payments'>>[0]['objects'],
  more: Partial<UpsertInput> = {},
) => upsertObjects({ ...buildUpsertOptions(more), resource: 'payments', objects })
const upsertPayoutRecords = (
  objects: ReturnType<typeof buildPayout>[],
  more: Partial<UpsertInput> = {},
) => upsertObjects({ ...buildUpsertOptions(more), resource: 'payouts', objects })

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openOwnStore(kind)
  })
  afterAll(() => closeStore?.())

  const readMirrorRow = async (id: string, table = 'mirror_payments') => {
    const { rows } = (await (
      await getDatabase()
    ).execute(
      sql`select * from ${sql.identifier(table)} where environment = ${environment} and id = ${id}`,
    )) as unknown as {
      rows: (Fields & { object: Fields; record: Fields | null; account_id: string | null })[]
    }
    return rows[0]
  }

  test('a row is replaced only by a newer version, and its change is reported', async () => {
    const id = randomUUID()
    expect(await upsertListedPayments([buildPaymentSummary(id)])).toEqual([
      { id, account: null, isNew: true },
    ])
    expect(await upsertListedPayments([buildPaymentSummary(id)])).toEqual([])
    expect(
      await upsertListedPayments([
        buildPaymentSummary(id, { status: 'paid', updated_at: secondTime }),
      ]),
    ).toEqual([{ id, account: null, isNew: false }])
    expect(
      await upsertListedPayments([buildPaymentSummary(id, { status: 'pending' })], {
        seenAt: new Date(thirdTime),
      }),
    ).toEqual([])
    expect(await readMirrorRow(id)).toMatchObject({
      status: 'paid',
      object: { status: 'paid', amount: '12500' },
      amount: expect.anything(),
    })
  })

  test('of two versions with the same time the later status change wins, then the later read', async () => {
    const id = randomUUID()
    const onHoldFields = { status: 'on_hold', status_details: { changed_at: secondTime } }
    await upsertListedPayments([buildPaymentSummary(id, onHoldFields)], {
      seenAt: new Date(secondTime),
    })
    await upsertListedPayments([buildPaymentSummary(id)], { seenAt: new Date(thirdTime) })
    expect(await readMirrorRow(id)).toMatchObject({ status: 'on_hold' })
    await upsertListedPayments(
      [buildPaymentSummary(id, { ...onHoldFields, description: 'Rent of April' })],
      {
        seenAt: new Date(firstTime),
      },
    )
    expect(await readMirrorRow(id)).toMatchObject({ object: { description: 'Rent of March' } })
    await upsertListedPayments(
      [buildPaymentSummary(id, { ...onHoldFields, description: 'Rent of April' })],
      {
        seenAt: new Date(thirdTime),
      },
    )
    expect(await readMirrorRow(id)).toMatchObject({ object: { description: 'Rent of April' } })
  })

  test('a version without any time is as new as its read', async () => {
    const id = randomUUID()
    const fieldsWithoutTime = { updated_at: null, status_details: null }
    await upsertListedPayments([buildPaymentSummary(id)], { seenAt: new Date(secondTime) })
    await upsertListedPayments(
      [buildPaymentSummary(id, { ...fieldsWithoutTime, status: 'paid' })],
      { seenAt: new Date(firstTime) },
    )
    expect(await readMirrorRow(id)).toMatchObject({ status: 'created' })
    await upsertListedPayments(
      [buildPaymentSummary(id, { ...fieldsWithoutTime, status: 'paid' })],
      { seenAt: new Date(thirdTime) },
    )
    expect(await readMirrorRow(id)).toMatchObject({ status: 'paid' })
  })

  test('a list and a single read of a payment do not overwrite each other’s fields', async () => {
    const id = randomUUID()
    await upsertPayoutRecords([buildPayout(id)])
    expect((await readMirrorRow(id))?.object).toEqual(
      JSON.parse(JSON.stringify(buildPaymentSummary(id))),
    )
    const { metadata: _metadata, ...without } = buildPaymentSummary(id, {
      status: 'paid',
      updated_at: secondTime,
    })
    await upsertListedPayments([without], { seenAt: new Date(secondTime) })
    const rowAfter = await readMirrorRow(id)
    expect(rowAfter?.object).toEqual(
      JSON.parse(
        JSON.stringify(buildPaymentSummary(id, { status: 'paid', updated_at: secondTime })),
      ),
    )
    expect(rowAfter?.record).toMatchObject({
      status: 'created',
      status_history: [{ status: 'created' }],
    })
    await upsertPayoutRecords(
      [buildPayout(id, { status: 'reversed', updated_at: thirdTime, metadata: {} })],
      {
        seenAt: new Date(thirdTime),
      },
    )
    expect(await readMirrorRow(id)).toMatchObject({
      object: { status: 'reversed', metadata: {} },
      record: { status: 'reversed' },
    })
  })

  test('a record is shown as read alone while that is current, and otherwise as lists show it', async () => {
    const id = randomUUID()
    const unlimitedActor = { grants: [{ role: 'viewer' as const, environment, accountId: null }] }
    const readRecord = async () =>
      (await readMirrorObject(unlimitedActor, 'payouts.get', id, { environment, accountId: null }))
        ?.data
    const recordOnlyFields = [
      'device',
      'config',
      'status_history',
      'payment_rail',
      'processed_at',
      'documents',
    ].map((field) => ({
      field,
      raw: '',
    }))
    expect(await readRecord()).toBeUndefined()
    await upsertListedPayments([buildPaymentSummary(id)])
    expect(await readRecord()).toMatchObject({
      status: 'created',
      metadata: { order: '7' },
      status_history: [],
      documents: [],
      unreadable: recordOnlyFields,
    })
    await upsertPayoutRecords([buildPayout(id)], { seenAt: new Date(secondTime) })
    await upsertListedPayments([buildPaymentSummary(id)], { seenAt: new Date(thirdTime) })
    expect(await readRecord()).toEqual(JSON.parse(JSON.stringify(buildPayout(id))))
    await upsertListedPayments(
      [buildPaymentSummary(id, { status: 'paid', updated_at: secondTime })],
      { seenAt: new Date(thirdTime) },
    )
    expect(await readRecord()).toMatchObject({
      status: 'paid',
      status_history: [],
      unreadable: recordOnlyFields,
    })
  })

  test('stores no token, and masked data stays masked', async () => {
    const id = randomUUID()
    await upsertPayoutRecords([
      buildPayout(id, { customer_details: buildCustomerFields(randomUUID()) }),
    ])
    const rowJson = JSON.stringify(await readMirrorRow(id))
    expect(rowJson).toContain('a•••@example.com')
    for (const secret of ['ana@example.com', '5125550100', '255***'])
      expect(rowJson).not.toContain(secret)
  })

  test('stores a known account permanently, from the call, a write or the customer', async () => {
    const [account, otherAccount] = [randomUUID(), randomUUID()]
    const [scopedPaymentId, writtenPaymentId, customerPaymentId, customerId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    await upsertListedPayments([buildPaymentSummary(scopedPaymentId)], { account })
    await upsertListedPayments([buildPaymentSummary(scopedPaymentId, { updated_at: secondTime })], {
      seenAt: new Date(secondTime),
    })
    expect(await readMirrorRow(scopedPaymentId)).toMatchObject({ account_id: account })

    await upsertListedPayments([buildPaymentSummary(writtenPaymentId, { updated_at: thirdTime })], {
      seenAt: new Date(thirdTime),
    })
    await storeAccounts(environment, [`payouts/${writtenPaymentId}`], otherAccount)
    expect(await upsertListedPayments([buildPaymentSummary(writtenPaymentId)])).toEqual([])
    expect(await readMirrorRow(writtenPaymentId)).toMatchObject({
      account_id: otherAccount,
      object: { updated_at: thirdTime },
    })

    const [parsedCustomer] = schemasByOperation['customers.list'].output.parse([
      { id: customerId, name: 'Ana', status: 'verified', updated_at: firstTime },
    ])
    await upsertObjects({
      ...buildUpsertOptions({ account }),
      resource: 'customers',
      objects: parsedCustomer ? [parsedCustomer] : [],
    })
    await upsertListedPayments([
      buildPaymentSummary(customerPaymentId, { customer_details: buildCustomerFields(customerId) }),
    ])
    expect(await readMirrorRow(customerPaymentId)).toMatchObject({ account_id: account })
  })

  test('an account named by the object itself overrides the account of the call', async () => {
    const [account, other, linkedBankAccountId, platformBankAccountId] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ]
    const objects = [
      { id: linkedBankAccountId, account_id: account },
      { id: platformBankAccountId },
    ].map((sent) => schemasByOperation['linked_bank_accounts.get'].output.parse(sent))
    await upsertObjects({
      ...buildUpsertOptions({ account: other }),
      resource: 'linked_bank_accounts',
      objects,
    })
    expect(await readMirrorRow(linkedBankAccountId, 'mirror_linked_bank_accounts')).toMatchObject({
      account_id: account,
    })
    expect(await readMirrorRow(platformBankAccountId, 'mirror_linked_bank_accounts')).toMatchObject(
      { account_id: null },
    )
  })

  test('an object that occurs twice is stored once, in its newer version', async () => {
    const id = randomUUID()
    await upsertListedPayments([
      buildPaymentSummary(id, { status: 'paid', updated_at: secondTime }),
      buildPaymentSummary(id),
    ])
    expect(await readMirrorRow(id)).toMatchObject({ status: 'paid' })
  })

  test('values that do not fit a column do not block other rows', async () => {
    const [oddPaymentId, normalPaymentId] = [randomUUID(), randomUUID()]
    const longText = '😀x'.repeat(4000)
    const longFields = {
      external_id: longText,
      description: longText,
      amount: '1.5',
      payment_date: '0000-01-01',
      created_at: '0000-01-01T00:00:00Z',
    }
    await upsertListedPayments([
      buildPaymentSummary(oddPaymentId, { ...longFields, status_details: { reason: longText } }),
      buildPaymentSummary(normalPaymentId),
    ])
    expect(await readMirrorRow(oddPaymentId)).toMatchObject({
      amount: null,
      payment_date: null,
      created_at: null,
      object: { external_id: longText },
    })
    expect(await readMirrorRow(normalPaymentId)).toBeDefined()
  })

  test('a deleted customer is removed from its payments, and a pending response does not restore it', async () => {
    const [customer, id, latePaymentId] = [randomUUID(), randomUUID(), randomUUID()]
    const sentCustomer = {
      id: customer,
      name: 'Ana Example',
      status: 'verified',
      updated_at: firstTime,
    }
    const customers = schemasByOperation['customers.list'].output.parse([sentCustomer])
    await upsertObjects({ ...buildUpsertOptions(), resource: 'customers', objects: customers })
    await upsertPayoutRecords([
      buildPayout(id, { customer_details: buildCustomerFields(customer) }),
    ])
    await deleteMirroredObjects(environment, 'customers', [customer])
    await upsertObjects({
      ...buildUpsertOptions({ seenAt: new Date(thirdTime) }),
      resource: 'customers',
      objects: customers,
    })
    await upsertPayoutRecords([
      buildPayout(latePaymentId, { customer_details: buildCustomerFields(customer) }),
    ])
    expect(await readMirrorRow(customer, 'mirror_customers')).toBeUndefined()
    for (const paymentId of [id, latePaymentId]) {
      expect(await readMirrorRow(paymentId)).toMatchObject({
        customer_id: customer,
        object: { customer_details: { id: customer } },
      })
      expect(JSON.stringify(await readMirrorRow(paymentId))).not.toMatch(/Ana|example\.com|0100/)
    }
  })

  test('concurrent writers leave the newest version', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID())
    const updateTimes = Array.from(
      { length: 8 },
      (_, round) => `2026-02-0${round + 1}T00:00:00.000Z`,
    )
    const storeSummaries = (at: string) =>
      upsertListedPayments(
        ids
          .map((id) => buildPaymentSummary(id, { updated_at: at }))
          .sort(() => Math.random() - 0.5),
      )
    await Promise.all(updateTimes.toSorted(() => Math.random() - 0.5).map(storeSummaries))
    for (const id of ids)
      expect(await readMirrorRow(id)).toMatchObject({ object: { updated_at: updateTimes.at(-1) } })
  })
})
