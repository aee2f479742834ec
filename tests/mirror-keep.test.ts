import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { deleteMirroredObjects } from '@/lib/server/mirror/forget'
import { readMirrorObject } from '@/lib/server/mirror/query'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import {
  buildCustomerFields,
  buildPaymentSummary,
  buildPayout,
  buildUpsertOptions,
  environment,
  firstTime,
  readMirrorRow,
  secondTime,
  thirdTime,
  upsertListedPayments,
  upsertPayoutRecords,
} from './harness/mirror-payments'
import { openTestStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
  })
  afterAll(() => closeStore?.())

  test('a row is replaced only by a newer version, and its change is reported', async () => {
    const upsertedPaymentId = randomUUID()
    expect(await upsertListedPayments([buildPaymentSummary(upsertedPaymentId)])).toEqual([
      { id: upsertedPaymentId, account: null, isNew: true },
    ])
    expect(await upsertListedPayments([buildPaymentSummary(upsertedPaymentId)])).toEqual([])
    expect(
      await upsertListedPayments([
        buildPaymentSummary(upsertedPaymentId, { status: 'paid', updated_at: secondTime }),
      ]),
    ).toEqual([{ id: upsertedPaymentId, account: null, isNew: false }])
    expect(
      await upsertListedPayments([buildPaymentSummary(upsertedPaymentId, { status: 'pending' })], {
        seenAt: new Date(thirdTime),
      }),
    ).toEqual([])
    expect(await readMirrorRow(upsertedPaymentId)).toMatchObject({
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
    const rowAfterListRead = await readMirrorRow(id)
    expect(rowAfterListRead?.object).toEqual(
      JSON.parse(
        JSON.stringify(buildPaymentSummary(id, { status: 'paid', updated_at: secondTime })),
      ),
    )
    expect(rowAfterListRead?.record).toMatchObject({
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
    const readMirroredPayout = async () =>
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
    expect(await readMirroredPayout()).toBeUndefined()
    await upsertListedPayments([buildPaymentSummary(id)])
    expect(await readMirroredPayout()).toMatchObject({
      status: 'created',
      metadata: { order: '7' },
      status_history: [],
      documents: [],
      unreadable: recordOnlyFields,
    })
    await upsertPayoutRecords([buildPayout(id)], { seenAt: new Date(secondTime) })
    await upsertListedPayments([buildPaymentSummary(id)], { seenAt: new Date(thirdTime) })
    expect(await readMirroredPayout()).toEqual(JSON.parse(JSON.stringify(buildPayout(id))))
    await upsertListedPayments(
      [buildPaymentSummary(id, { status: 'paid', updated_at: secondTime })],
      { seenAt: new Date(thirdTime) },
    )
    expect(await readMirroredPayout()).toMatchObject({
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
    const outOfRangeFields = {
      external_id: longText,
      description: longText,
      amount: '1.5',
      payment_date: '0000-01-01',
      created_at: '0000-01-01T00:00:00Z',
    }
    await upsertListedPayments([
      buildPaymentSummary(oddPaymentId, {
        ...outOfRangeFields,
        status_details: { reason: longText },
      }),
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
        object: { customer_details: { id: customer, name: 'Deleted customer' } },
      })
      expect(JSON.stringify(await readMirrorRow(paymentId))).not.toMatch(/Ana|example\.com|0100/)
    }
  })

  test('concurrent writers leave the newest version', async () => {
    const upsertedPaymentIds = Array.from({ length: 40 }, () => randomUUID())
    const updateTimes = Array.from(
      { length: 8 },
      (_, round) => `2026-02-0${round + 1}T00:00:00.000Z`,
    )
    const storeSummariesUpdatedAt = (at: string) =>
      upsertListedPayments(
        upsertedPaymentIds
          .map((id) => buildPaymentSummary(id, { updated_at: at }))
          .sort(() => Math.random() - 0.5),
      )
    await Promise.all(updateTimes.toSorted(() => Math.random() - 0.5).map(storeSummariesUpdatedAt))
    for (const id of upsertedPaymentIds)
      expect(await readMirrorRow(id)).toMatchObject({ object: { updated_at: updateTimes.at(-1) } })
  })
})
