import { describe, expect, test } from 'vitest'
import { pickContentType, toOddErrorBody, toOddMeta } from './odd'
import { toOddData } from './odd-data'
import { makeOddSettings } from './odd-object'
import { oddities } from './odd-values'

const payoutId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const paykeyToken = '758c519d.02.2c16f91bd2a2b83ed7cd2a2b83ed7cd2a2b83ed7cd2a2b83ed7cd2a2b83ed7c0'

const payout = {
  id: payoutId,
  paykey: '758***.02.******7c0',
  amount: '12500',
  currency: 'USD',
  status: 'on_hold',
  status_details: {
    message: 'Held',
    reason: 'user_request',
    source: 'user_action',
    changed_at: '2026-11-20T10:00:00.000Z',
    code: null,
  },
  status_history: [
    {
      status: 'created',
      reason: 'ok',
      source: 'system',
      message: 'Made',
      changed_at: '2026-11-20T09:00:00.000Z',
    },
  ],
  funding_ids: [payoutId],
  trace_ids: { bank: 'T1' },
  is_refund: false,
  customer_details: { id: payoutId, name: 'Amara Okafor', email: 'amara@example.org' },
  related_payments: [{ id: payoutId, relationship: 'original', payment_type: 'charge' }],
  document_size: 2_000,
  processed_at: null,
}

const objectResponseInfo = { operation: 'payouts.get', answers: 'object' } as const
const listItemResponseInfo = { operation: 'payments.search', answers: 'array' } as const
const seeds = Array.from({ length: 1_000 }, (_, seed) => seed)
const oddPayouts = seeds.map(
  (seed) => toOddData(makeOddSettings(seed), payout, objectResponseInfo) as Record<string, unknown>,
)

/** Returns the dotted path of each text that contains `part`. */
function findTextPaths(value: unknown, part: string, fieldPath = ''): string[] {
  if (typeof value === 'string') return value.includes(part) ? [fieldPath] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    findTextPaths(each, part, fieldPath ? `${fieldPath}.${name}` : name),
  )
}

describe('the odd dialect', () => {
  test('returns an object in the same way twice, alone and in a list', () => {
    const firstOddPayout = toOddData(makeOddSettings(7), payout, objectResponseInfo)
    expect(toOddData(makeOddSettings(7), structuredClone(payout), objectResponseInfo)).toEqual(
      firstOddPayout,
    )
    expect(
      toOddData(makeOddSettings(7), payout, { ...objectResponseInfo, operation: 'payouts.hold' }),
    ).toEqual(firstOddPayout)
    const listAndObjectResults = seeds.map((seed) => [
      toOddData(makeOddSettings(seed), payout, listItemResponseInfo),
      oddPayouts[seed],
    ])
    expect(
      listAndObjectResults.filter(
        ([ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs),
      ).length,
    ).toBeLessThan(30)
  })

  test('keeps the ID of the object itself', () => {
    expect(new Set(oddPayouts.map((told) => told.id))).toEqual(new Set([payoutId]))
    const paykeyReview = {
      paykey_details: { id: payoutId, status: 'review' },
      verification_details: { id: 'v', decision: 'review' },
    }
    const oddReviews = seeds.map((seed) =>
      toOddData(makeOddSettings(seed), paykeyReview, {
        operation: 'paykeys.review',
        answers: 'object',
      }),
    )
    for (const oddReview of oddReviews)
      expect(oddReview).toMatchObject({ paykey_details: { id: payoutId } })
  })

  test('keeps tokens that are needed for actions', () => {
    for (const seed of seeds) {
      expect(
        toOddData(
          makeOddSettings(seed),
          { id: payoutId, paykey: paykeyToken },
          { operation: 'paykeys.reveal', answers: 'object' },
        ),
      ).toMatchObject({
        paykey: paykeyToken,
      })
      const oddBridgeToken = toOddData(
        makeOddSettings(seed),
        { bridge_token: 'a.b.c' },
        { operation: 'bridge.initialize', answers: 'object' },
      )
      expect(oddBridgeToken).toMatchObject({ bridge_token: 'a.b.c' })
    }
  })

  test('changes a tenth to a fifth of the fields, depending on the seed, and covers every change', () => {
    const payoutFieldNames = Object.keys(payout).filter(
      (name) => name !== 'id',
    ) as (keyof typeof payout)[]
    const changedFieldNames = oddPayouts.map((told) =>
      payoutFieldNames.filter(
        (name) => JSON.stringify(told[name]) !== JSON.stringify(payout[name]),
      ),
    )
    const changedShare = changedFieldNames.flat().length / (payoutFieldNames.length * seeds.length)
    // A field that is an object counts as changed if anything in it changed. The measured share may
    // therefore exceed a fifth.
    expect(changedShare).toBeGreaterThan(0.1)
    expect(changedShare).toBeLessThan(0.35)
    for (const name of payoutFieldNames)
      expect(changedFieldNames.filter((each) => each.includes(name)).length, name).toBeGreaterThan(
        50,
      )
    expect(new Set(oddPayouts.map((told) => JSON.stringify(told))).size).toBeGreaterThan(900)
    const oddityNames = new Set(
      seeds.flatMap((seed) => makeOddSettings(seed).enabled.map(({ name }) => name)),
    )
    expect(oddityNames.size).toBe(oddities.length)
  })

  test('never shows the value of one field in another', () => {
    for (const oddPayout of oddPayouts) {
      expect(
        findTextPaths(oddPayout, '758***').filter((path) => !path.startsWith('paykey')),
      ).toEqual([])
      expect(
        findTextPaths(oddPayout, 'amara@').filter(
          (path) => !/^customer_details(\.0)?(\.email.*)?$/.test(path),
        ),
      ).toEqual([])
    }
  })

  test('is JSON that is parsed to the same value', () => {
    for (const oddPayout of oddPayouts) {
      const oddPayoutText = JSON.stringify(oddPayout)
      expect(JSON.stringify(JSON.parse(oddPayoutText))).toBe(oddPayoutText)
      expect(oddPayoutText.length).toBeLessThan(40_000)
    }
  })

  test('has occasional unreadable rows', () => {
    const oddRows = Array.from(
      { length: 4_000 },
      (_, at) => `018f4c1e-7a3b-7c2d-9e10-${String(at).padStart(12, '0')}`,
    ).map(
      (each) =>
        toOddData(makeOddSettings(1), { ...payout, id: each }, listItemResponseInfo) as {
          id?: unknown
        } | null,
    )
    const rowsWithOddId = oddRows.filter(
      (each) => typeof each?.id !== 'string' || each.id === 'no-uuid',
    )
    expect(rowsWithOddId.length).toBeGreaterThan(20)
    expect(rowsWithOddId.length).toBeLessThan(80)
    expect(rowsWithOddId).toContain(null)
  })
})

describe('around the data', () => {
  const meta = {
    api_request_id: payoutId,
    page_number: 1,
    page_size: 25,
    total_items: 40,
    sort_by: 'id',
    sort_order: 'asc',
  }

  test('page figures make no sense, and are the same each time for an operation', () => {
    const oddTotals = new Set(
      seeds.map(
        (seed) =>
          (toOddMeta(makeOddSettings(seed), meta, 'payments.search') as typeof meta | null)
            ?.total_items,
      ),
    )
    for (const total of [-1, 0, 0.5, 'many', undefined, 40]) expect(oddTotals).toContain(total)
    expect(toOddMeta(makeOddSettings(3), meta, 'payments.search')).toEqual(
      toOddMeta(makeOddSettings(3), meta, 'payments.search'),
    )
  })

  test('content types differ or are missing', () => {
    const contentTypes = new Set(
      seeds.map((seed) =>
        pickContentType(
          makeOddSettings(seed),
          'payments.search',
          'application/json; charset=utf-8',
        ),
      ),
    )
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'text/json', null])
      expect(contentTypes).toContain(type)
  })

  test.each([
    {
      meta,
      response_type: 'error',
      error: {
        status: 422,
        type: '/validation_error',
        title: 'No',
        detail: 'Too much',
        items: [{ reference: 'amount', detail: 'is too large' }],
      },
    },
    { status: 409, type: '/conflict', title: 'Conflict', detail: 'This key was used.' },
    {
      meta,
      response_type: 'error',
      error: { code: 'invalid_api_key', message: 'No such key', type: 'authentication_error' },
    },
  ])('a refusal keeps its meaning: $error.detail $detail $error.message', (body) => {
    const oddErrorBodies = seeds.map((seed) => toOddErrorBody(makeOddSettings(seed), body))
    const { items: _items, type: _type, ...words } = { items: null, ...(body.error ?? body) }
    for (const oddError of oddErrorBodies)
      expect(body.error ? oddError.error : oddError).toMatchObject(words)
    expect(new Set(oddErrorBodies.map((each) => JSON.stringify(each))).size).toBeGreaterThan(20)
  })
})
