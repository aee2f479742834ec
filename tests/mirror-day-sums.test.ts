import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { deleteMirroredObjects } from '@/lib/server/mirror/forget'
import { storeObjectAccounts } from '@/lib/server/mirror/object-accounts'
import { startPaymentPruning } from '@/lib/server/mirror/retention'
import { type SumGroupKey, sumPayments } from '@/lib/server/mirror/sums'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'
import { recordStatements } from './harness/query-plans'
import { storeKinds } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

const environment = 'sandbox' as const
const createViewer = (accountId: string | null) => ({
  grants: [{ id: 'grant', role: 'viewer' as const, environment, accountId, expiresAt: null }],
})
const platformViewer = createViewer(null)
const [paymentIds, customerIds, accountIds] = [60, 6, 3].map((many) =>
  Array.from({ length: many }, () => randomUUID()),
) as [string[], string[], string[]]

type PaymentFields = Record<string, unknown>

/**
 * Generates a random payment. The values are few, so that many payments count in the same sum.
 * Optional fields are sometimes missing.
 */
const paymentArbitrary = fc.record(
  {
    id: fc.constantFrom(...paymentIds),
    payment_type: fc.constantFrom('charge', 'payout'),
    amount: fc.oneof(fc.integer({ min: 1, max: 9_999_999_999 }).map(String), fc.constant('12.50')),
    currency: fc.constantFrom('USD', 'EUR'),
    status: fc.constantFrom('created', 'on_hold', 'pending', 'paid', 'failed', 'reversed'),
    created_at: fc.constant('2026-10-01T10:00:00Z'),
    payment_date: fc.constantFrom('2026-10-30', '2026-10-31', '2026-11-01', undefined),
    effective_at: fc.constantFrom(
      '2026-11-01T03:59:59Z',
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:59:59Z',
      '2026-11-02T05:00:00Z',
      undefined,
    ),
    is_refund: fc.boolean(),
    status_details: fc.record(
      { source: fc.constantFrom('bank_decline', 'system'), code: fc.constantFrom('R01', 'R10') },
      { requiredKeys: [] },
    ),
    customer_details: fc.record({
      id: fc.constantFrom(...customerIds),
      name: fc.constant('Ana Example'),
    }),
    funding_ids: fc.constant([]),
  },
  {
    requiredKeys: [
      'id',
      'payment_type',
      'amount',
      'currency',
      'status',
      'created_at',
      'funding_ids',
    ],
  },
)
const writeArbitrary = fc.oneof(
  {
    arbitrary: fc.record({
      kept: fc.array(paymentArbitrary, { minLength: 1, maxLength: 12 }),
      account: fc.constantFrom(null, ...accountIds),
    }),
    weight: 6,
  },
  fc.record({
    known: fc.uniqueArray(fc.constantFrom(...paymentIds), { maxLength: 5 }),
    account: fc.constantFrom(...accountIds),
  }),
  fc.record({ gone: fc.uniqueArray(fc.constantFrom(...paymentIds), { maxLength: 3 }) }),
  fc.record({ forgotten: fc.constantFrom(...customerIds) }),
)
type MirrorWrite = typeof writeArbitrary extends fc.Arbitrary<infer W> ? W : never

const storePayments = (
  objects: readonly PaymentFields[],
  account: string | null,
  transaction?: Db,
) =>
  upsertObjects(
    {
      environment,
      resource: 'payments',
      account,
      objects: schemasByOperation['payments.search'].output.parse(objects),
      seenBy: 'sync',
      seenAt: new Date(),
    },
    transaction,
  )

async function applyMirrorWrite(write: MirrorWrite): Promise<unknown> {
  if ('kept' in write) return storePayments(write.kept, write.account)
  if ('gone' in write) return deleteMirroredObjects(environment, 'payments', write.gone)
  if ('forgotten' in write)
    return deleteMirroredObjects(environment, 'customers', [write.forgotten])
  return storeObjectAccounts(
    environment,
    write.known.map((id) => `charges/${id}`),
    write.account,
  )
}

const toSortedJsonRows = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

const sumQueryCases: readonly [readonly SumGroupKey[], PaymentFields][] = [
  [
    ['day', 'type', 'refund', 'currency'],
    { payment_status: ['paid'], min_effective_at: '2026-11-01T04:00:00Z' },
  ],
  [
    ['status', 'source', 'code'],
    { payment_type: ['charge'], min_payment_date: '2026-10-31', max_payment_date: '2026-11-01' },
  ],
  [['type', 'status', 'source', 'code', 'refund', 'currency', 'date', 'day'], {}],
]

/**
 * Returns the sums for a search twice: from the stored daily sums, and from the payment rows. The
 * extra condition `true` changes no result, but `sumPayments` does not use the daily sums if it
 * gets one.
 */
async function readStoredAndComputedSums(
  sumKeys: readonly SumGroupKey[],
  filters: PaymentFields,
  actor = platformViewer,
): Promise<[string[], string[]]> {
  const [input, scope] = [
    schemasByOperation['payments.search'].input.parse(filters),
    { environment, accountId: null },
  ]
  const sumPromises = [
    sumPayments(actor, input, scope, sumKeys),
    sumPayments(actor, input, scope, sumKeys, [sql`true`]),
  ]
  const [storedSums, computedSums] = await Promise.all(sumPromises)
  return [toSortedJsonRows(storedSums ?? []), toSortedJsonRows(computedSums ?? [])]
}

async function expectEqualSums(): Promise<void> {
  for (const [sumKeys, asked] of sumQueryCases) {
    const [read, looked] = await readStoredAndComputedSums(sumKeys, asked)
    expect(read, sumKeys.join()).toEqual(looked)
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-05T00:00:00Z') }))
afterEach(() => vi.useRealTimers())

describe.each(storeKinds)('on %s', (kind) => {
  let closeOwnStore: () => Promise<void>
  beforeAll(async () => {
    process.env.MIRROR_KEEP_DAYS = '100'
    closeOwnStore = await openTestStore(kind)
  })
  afterAll(() => closeOwnStore?.())

  test('sums equal those of the rows after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writeArbitrary, { minLength: 1, maxLength: 12 }),
        async (writes) => {
          for (const write of writes) await applyMirrorWrite(write)
          await expectEqualSums()
        },
      ),
      { numRuns: 25 },
    )
    await storePayments(fc.sample(paymentArbitrary, 40), null)
    const [read] = await readStoredAndComputedSums(['status'], {})
    expect(read.length).toBeGreaterThan(2)
  }, 120_000)

  test('sums equal those of the rows after concurrent writes', async () => {
    const mirrorWrites = fc.sample(writeArbitrary, 60)
    await Promise.all(
      [0, 1, 2, 3].map(async (at) => {
        for (const one of mirrorWrites.filter((_, number) => number % 4 === at))
          await applyMirrorWrite(one)
      }),
    )
    await expectEqualSums()
  }, 120_000)

  test('sums equal those of the rows after old rows were deleted', async () => {
    const oldPaymentTemplate = {
      ...fc.sample(paymentArbitrary, 1)[0],
      payment_type: 'charge',
      status: 'paid',
    }
    const oldPayments = ['2026-08-01', '2026-08-02'].map((payment_date) => ({
      ...oldPaymentTemplate,
      id: randomUUID(),
      payment_date,
    }))
    await storePayments(oldPayments, accountIds[0] ?? null)
    const paidFilters = { payment_status: ['paid'], max_payment_date: '2026-08-02' }
    const sumsBefore = await readStoredAndComputedSums(['date'], paidFilters)
    vi.setSystemTime('2027-03-01T00:00:00Z')
    const pruningJob = startPaymentPruning()
    await waitUntil('the old payments to be gone', async () =>
      (await readStoredAndComputedSums(['date'], paidFilters))[0].length === 0 ? true : null,
    )
    pruningJob.stop()
    expect(sumsBefore[0]).toHaveLength(2)
    await expectEqualSums()
  })

  test('a limited person gets sums of their own accounts only', async () => {
    const [ownAccountId = '', otherAccountId = ''] = [randomUUID(), randomUUID()]
    const payment = { ...fc.sample(paymentArbitrary, 1)[0], payment_date: '2025-01-01' }
    await storePayments([{ ...payment, id: randomUUID() }], ownAccountId)
    await storePayments(
      [1, 2].map(() => ({ ...payment, id: randomUUID() })),
      otherAccountId,
    )
    await storePayments([{ ...payment, id: randomUUID() }], null)
    const readPaymentCounts = async (actor: typeof platformViewer) =>
      (await readStoredAndComputedSums(['date'], { max_payment_date: '2025-01-01' }, actor))[0].map(
        (row) => (JSON.parse(row) as { count: number }).count,
      )
    expect(await readPaymentCounts(createViewer(ownAccountId))).toEqual([1])
    expect(await readPaymentCounts(createViewer(otherAccountId))).toEqual([2])
    expect(await readPaymentCounts(platformViewer)).toEqual([4])
  })

  test('sums of the whole platform read no payment rows', async () => {
    for (const [by, asked] of sumQueryCases) {
      const searchInput = schemasByOperation['payments.search'].input.parse(asked)
      const statementTexts = (
        await recordStatements(() =>
          sumPayments(platformViewer, searchInput, { environment, accountId: null }, by),
        )
      ).map(({ text }) => text)
      expect(statementTexts).toEqual([expect.stringContaining('from "mirror_payment_sums"')])
    }
  })

  test('a range that does not start at a day boundary is summed from the rows', async () => {
    const input = schemasByOperation['payments.search'].input.parse({
      min_effective_at: '2026-11-01T04:30:00Z',
    })
    const sumStatementTexts = (
      await recordStatements(() =>
        sumPayments(platformViewer, input, { environment, accountId: null }, ['day']),
      )
    ).map(({ text }) => text)
    expect(sumStatementTexts).toEqual([expect.stringContaining('from "mirror_payments"')])
  })
})

test('two transactions that store payments of the same day do not block each other', async () => {
  const closeStore = await openTestStore('PostgreSQL')
  const samplePayment = fc.sample(paymentArbitrary, 1)[0]
  const createPaymentCopy = () => [{ ...samplePayment, id: randomUUID() }]
  const db = await getDatabase()
  await db.transaction(async (open) => {
    await storePayments(createPaymentCopy(), null, open)
    await storePayments(createPaymentCopy(), null)
    await storePayments(createPaymentCopy(), null, open)
  })
  await expectEqualSums()
  await closeStore()
})
