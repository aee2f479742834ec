import { describe, expect, test } from 'vitest'
import { listFilterTexts } from '@/components/kits/list/filters/filter-texts'
import { toExportParams } from '@/components/kits/list/list-export'
import { parseView, resolvePeriod } from '@/components/kits/list/parse-view'
import { toHrefWithoutFilters, toRequestFields, toViewHref } from '@/components/kits/list/view'
import { defaultPreferences } from '@/lib/client/preferences'
import { paymentSearchList } from './search-list'

const createdPeriod = {
  label: 'Created',
  from: 'min_created_at',
  to: 'max_created_at',
  kind: 'instant',
} as const
const paymentDatePeriod = {
  label: 'Payment date',
  from: 'min_payment_date',
  to: 'max_payment_date',
  kind: 'day',
} as const
const scope = { environment: 'sandbox', account: null }
const toEpochMs = (iso: string) => Date.parse(iso)

describe('a period', () => {
  test('uses days in New York, where an evening is the next day in UTC', () => {
    const eveningMs = toEpochMs('2026-11-23T02:00:00Z')
    expect(resolvePeriod(paymentDatePeriod, 'today', eveningMs)).toMatchObject({
      first: '2026-11-22',
      last: '2026-11-22',
    })
    expect(resolvePeriod(createdPeriod, 'today', eveningMs).bounds).toEqual({
      min_created_at: '2026-11-22T05:00:00.000Z',
      max_created_at: '2026-11-23T04:59:59.999Z',
    })
  })

  test('of seven days includes today and covers full days across a clock change', () => {
    expect(
      resolvePeriod(createdPeriod, '7-days', toEpochMs('2026-11-04T12:00:00Z')).bounds,
    ).toEqual({
      min_created_at: '2026-10-29T04:00:00.000Z',
      max_created_at: '2026-11-05T04:59:59.999Z',
    })
  })

  test.each([
    ['2026-02-10T12:00:00Z', '2026-02-01', '2026-02-28'],
    ['2028-02-10T12:00:00Z', '2028-02-01', '2028-02-29'],
    ['2026-12-31T12:00:00Z', '2026-12-01', '2026-12-31'],
    ['2026-01-01T02:00:00Z', '2025-12-01', '2025-12-31'],
  ])('of this month at %s runs from %s to %s', (now, first, last) => {
    expect(resolvePeriod(paymentDatePeriod, 'this-month', toEpochMs(now)).bounds).toEqual({
      min_payment_date: first,
      max_payment_date: last,
    })
  })
})

describe('a list with a period', () => {
  const todayView = parseView(
    paymentSearchList,
    { created: '7-days', min_created_at: '2020-01-01T00:00:00Z' },
    { now: toEpochMs('2026-11-22T15:00:00Z') },
  )
  const weekBounds = {
    min_created_at: '2026-11-16T05:00:00.000Z',
    max_created_at: '2026-11-23T04:59:59.999Z',
  }

  test('queries and exports the days of the period instead of typed dates', () => {
    expect(toRequestFields(paymentSearchList, todayView)).toMatchObject(weekBounds)
    expect(toExportParams(todayView)).toEqual(weekBounds)
  })

  test('keeps the period name in its URL, so that it covers other days tomorrow', () => {
    expect(toViewHref(paymentSearchList, scope, todayView, { page: 2 })).toBe(
      '/sandbox/payments?created=7-days&page=2',
    )
    const tomorrowView = parseView(
      paymentSearchList,
      { created: '7-days' },
      { now: toEpochMs('2026-11-23T15:00:00Z') },
    )
    expect(toRequestFields(paymentSearchList, tomorrowView)).toMatchObject({
      min_created_at: '2026-11-17T05:00:00.000Z',
    })
  })

  test('says the days in its chip, which takes the period away', () => {
    expect(listFilterTexts(paymentSearchList, todayView, defaultPreferences)).toEqual([
      { name: 'created', text: 'Created: 7 days, Nov 16–22, 2026, New York' },
    ])
    expect(toHrefWithoutFilters(paymentSearchList, scope, todayView, ['created'])).toBe(
      '/sandbox/payments',
    )
  })
})
