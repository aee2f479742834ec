import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import { type GroupedPaymentSum, type SumGroupKey, sumPayments } from '@/lib/server/mirror/sums'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { openTestStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

const environment = 'sandbox' as const
const platformViewer = {
  grants: [{ id: 'grant', role: 'viewer' as const, environment, accountId: null, expiresAt: null }],
}

type PaymentFields = Record<string, unknown>

/**
 * Stores payments of a new account in the mirror (our copy of the service’s objects), as if the
 * service had listed them. Returns the account's id.
 */
async function storePayments(...sent: PaymentFields[]): Promise<string> {
  const account = randomUUID()
  const parsedPayments = schemasByOperation['payments.search'].output.parse(
    sent.map((fields) => ({
      ...{
        id: randomUUID(),
        payment_type: 'charge',
        amount: '1000',
        currency: 'USD',
        status: 'paid',
        is_refund: false,
      },
      ...{
        created_at: '2026-03-01T10:00:00Z',
        payment_date: '2026-03-02',
        funding_ids: [],
        ...fields,
      },
    })),
  )
  await upsertObjects({
    environment,
    resource: 'payments',
    account,
    objects: parsedPayments,
    seenBy: 'sync',
    seenAt: new Date(),
  })
  return account
}

const fetchSums = <K extends SumGroupKey>(
  accountId: string,
  sumKeys: readonly K[],
  filters: PaymentFields = {},
): Promise<GroupedPaymentSum<K>[]> =>
  sumPayments(
    platformViewer,
    schemasByOperation['payments.search'].input.parse(filters),
    { environment, accountId },
    sumKeys,
  )

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
  })
  afterAll(() => closeStore?.())

  // On Nov 1 and Mar 8, 2026, New York changes its clocks. Nov 1 has 25 hours, from 4:00 UTC to
  // 5:00 UTC of the next day; Mar 8 has 23.
  test.each([
    ['2026-11-20T04:59:59Z', '2026-11-19'],
    ['2026-11-20T05:00:00Z', '2026-11-20'],
    ['2026-11-01T03:59:59Z', '2026-10-31'],
    ['2026-11-01T04:00:00Z', '2026-11-01'],
    ['2026-11-02T04:59:59Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
    ['2026-03-08T04:59:59Z', '2026-03-07'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-03-09T04:00:00Z', '2026-03-09'],
  ])('a payment settled at %s counts on %s in New York', async (effective_at, day) => {
    const paymentAccount = await storePayments({ effective_at })
    expect((await fetchSums(paymentAccount, ['day'])).map((each) => each.day)).toEqual([day])
  })

  test('equal payments have one sum, and an unreadable amount is in none', async () => {
    const account = await storePayments(
      { amount: '1050', status_details: { changed_at: '2026-03-05T10:00:00Z' } },
      { amount: '200', status_details: { changed_at: '2026-03-04T10:00:00Z' } },
      { amount: '12.50' },
      { amount: '70', payment_type: 'payout', currency: 'EUR' },
    )
    const paymentSums = await fetchSums(account, ['type', 'currency', 'refund', 'since'])
    expect(paymentSums).toHaveLength(2)
    expect(paymentSums).toContainEqual({
      ...{ type: 'charge', currency: 'USD', refund: false },
      ...{ count: 3, minor: 1250, unreadable: 1, since: '2026-03-01T10:00:00.000Z' },
    })
    expect(paymentSums).toContainEqual(
      expect.objectContaining({ type: 'payout', currency: 'EUR', count: 1, minor: 70 }),
    )
  })

  test('only the matches of a search are summed, to any size', async () => {
    const account = await storePayments(
      { amount: '999999999999' },
      { amount: '999999999999' },
      { amount: '1', status: 'failed' },
    )
    expect(await fetchSums(account, ['status'], { payment_status: ['paid'] })).toEqual([
      expect.objectContaining({ status: 'paid', count: 2, minor: 1_999_999_999_998 }),
    ])
  })
})
