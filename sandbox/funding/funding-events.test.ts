import { describe, expect, test } from 'vitest'
import { type FundingEventSummary, filterCases } from '@/tests/sandbox/funding-filters'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { sundayMorning } from '@/tests/sandbox/test-time'

const { client } = startSandboxPerFile('--now', sundayMorning)

type FundingLine = {
  id: string
  payment_type: string
  funding_amount: number
  payment_amount: number
  reason: string
  status: string
}
type ListedPayment = { id: string; status: string; payment_type: string; funding_ids: string[] }

async function listAllOnOnePage<T>(
  path: string,
  headers: Record<string, string> = {},
): Promise<T[]> {
  const { status, json } = await client().ask(
    `${path}${path.includes('?') ? '&' : '?'}page_size=1000`,
    { headers },
  )
  expect([path, status]).toEqual([path, 200])
  expect((json.data as T[]).length).toBe(json.meta?.total_items)
  return json.data as T[]
}

const listFundingEvents = (query = '') =>
  listAllOnOnePage<FundingEventSummary>(`/v1/funding_events?${query}`)
const listFundingLines = (id: string) =>
  listAllOnOnePage<FundingLine>(`/v1/funding_event_payments/${id}`)
/**
 * Returns the expected `funding_amount` of a line. It is the payment's amount if the line moves the
 * payment's money, and the negative amount if the line takes the money back. It is 0 for a failed
 * charge, because the charge moved no money.
 */
function getExpectedAmount({ reason, payment_type, payment_amount }: FundingLine): number {
  if (reason === (payment_type === 'charge' ? 'credit' : 'debit')) return payment_amount
  return reason === 'failed' && payment_type === 'charge' ? 0 : -payment_amount
}

const listIds = (things: readonly { id: string }[]) => things.map(({ id }) => id)

describe('seeded funding events', () => {
  test('equal the sum of their payments to the cent', async () => {
    for (const event of await listFundingEvents()) {
      const lines = await listFundingLines(event.id)
      const sum = lines.reduce((total, line) => total + line.funding_amount, 0)
      expect([event.id, sum, lines.length]).toEqual([event.id, event.amount, event.payment_count])
      expect(new Set(listIds(lines)).size).toBe(lines.length)
      for (const line of lines)
        expect([line.id, line.funding_amount]).toEqual([line.id, getExpectedAmount(line)])
    }
  })

  test('list exactly the payments that refer to them', async () => {
    const paymentEventPairs = (await listFundingEvents()).map(async ({ id }) =>
      listIds(await listFundingLines(id)).map((payment) => `${payment} ${id}`),
    )
    const expectedPairs = (await listAllOnOnePage<ListedPayment>('/v1/payments')).flatMap(
      ({ id, funding_ids }) => funding_ids.map((funding) => `${id} ${funding}`),
    )
    expect((await Promise.all(paymentEventPairs)).flat().sort()).toEqual(expectedPairs.sort())
  })

  test('contain every paid payment once and every reversed one twice', async () => {
    for (const { id, status, funding_ids } of await listAllOnOnePage<ListedPayment>(
      '/v1/payments?payment_status=paid,reversed',
    )) {
      expect([id, funding_ids.length]).toEqual([id, status === 'paid' ? 1 : 2])
    }
  })

  test('cover every type, have a direction that matches the sign, and are sent or paid', async () => {
    const allEvents = await listFundingEvents()
    const directionAndSignByType = {
      charge_deposit: ['deposit', true],
      charge_reversal: ['withdrawal', false],
      payout_withdrawal: ['withdrawal', true],
      payout_return: ['deposit', false],
    } as const
    expect(new Set(allEvents.map(({ event_type }) => event_type))).toEqual(
      new Set(Object.keys(directionAndSignByType)),
    )
    for (const { event_type, direction, amount } of allEvents) {
      expect([direction, amount > 0]).toEqual(
        directionAndSignByType[event_type as keyof typeof directionAndSignByType],
      )
    }
    expect(new Set(allEvents.map(({ status }) => status)).has('pending')).toBe(true)
    for (const {
      status,
      transfer_date,
      trace_number,
      trace_numbers,
      trace_ids,
      direction,
      created_at,
    } of allEvents) {
      expect(status).toMatch(/^(pending|paid|failed|reversed)$/)
      expect(trace_numbers).toEqual([trace_number])
      expect(trace_ids).toEqual({ [direction]: trace_number })
      expect([0, 6]).not.toContain(new Date(`${transfer_date}T00:00:00Z`).getUTCDay())
      expect(Date.parse(`${transfer_date}T23:59:59Z`)).toBeGreaterThan(
        Date.parse(created_at) - 6 * 3_600_000,
      )
    }
    expect(new Set(allEvents.map(({ trace_number }) => trace_number)).size).toBe(allEvents.length)
  })
})

describe('the list of funding events', () => {
  test('is sorted by ID by default, and can be sorted and paged', async () => {
    const listedEvents = await listFundingEvents()
    expect(listIds(listedEvents)).toEqual(listIds(listedEvents).sort())
    for (const key of ['amount', 'transfer_date'] as const) {
      const sortedEvents = await listFundingEvents(`sort_by=${key}&sort_order=desc`)
      for (const [index, event] of sortedEvents.entries())
        expect(event[key] <= (sortedEvents[index - 1] ?? event)[key]).toBe(true)
    }
    const pageResponse = await client().ask('/v1/funding_events?page_size=7&page_number=3')
    expect(listIds(pageResponse.json.data as FundingEventSummary[])).toEqual(
      listIds(listedEvents.slice(14, 21)),
    )
    expect(pageResponse.json.meta).toMatchObject({
      total_items: listedEvents.length,
      sort_by: 'id',
      sort_order: 'asc',
    })
    expect((await client().ask('/v1/funding_events?sort_by=status')).status).toBe(400)
  })

  test.each(filterCases)('returns exactly the matches of %s', async (_name, query, means) => {
    const unfilteredEvents = await listFundingEvents()
    const sampleEvent = unfilteredEvents[Math.floor(unfilteredEvents.length / 2)]
    if (!sampleEvent) throw new Error('the seed has no funding events')
    const expectedEvents = unfilteredEvents.filter((event) => means(event, sampleEvent))
    expect(listIds(await listFundingEvents(query(sampleEvent)))).toEqual(listIds(expectedEvents))
    // A filter that matches everything or nothing would not show that filtering works.
    expect(expectedEvents.length).toBeGreaterThan(0)
    expect(expectedEvents.length).toBeLessThan(unfilteredEvents.length)
  })

  test('rejects an unknown or invalid filter by name', async () => {
    for (const query of [
      'direction=sideways',
      'status=gone',
      'created_from=yesterday',
      'account=1',
    ]) {
      const { status, json } = await client().ask(`/v1/funding_events?${query}`)
      const [name] = query.split('=')
      expect([query, status]).toEqual([query, 400])
      expect(json.error?.items).toMatchObject([{ reference: name }])
    }
  })
})

describe('a funding event', () => {
  test('contains its history, its configuration, and the bank account with a masked number', async () => {
    for (const summary of (await listFundingEvents()).filter((_, index) => index % 9 === 0)) {
      const { json } = await client().ask(`/v1/funding_events/${summary.id}`)
      const { status_history, config, linked_bank_account_details, ...rest } = json.data as Record<
        string,
        unknown
      >
      expect(rest).toEqual(summary)
      expect(config).toEqual({ sandbox_outcome: 'standard' })
      const statusHistory = status_history as { status: string; changed_at: string }[]
      expect(statusHistory.at(-1)).toEqual({ status: summary.status, ...summary.status_details })
      expect(statusHistory.slice(0, 2).map(({ status }) => status)).toEqual(['created', 'pending'])
      expect(statusHistory.map(({ changed_at }) => changed_at)).toEqual(
        statusHistory.map(({ changed_at }) => changed_at).sort(),
      )
      expect(linked_bank_account_details).toMatchObject({
        account_number: expect.stringMatching(/^\*{5}\d{4}$/),
      })
    }
  })

  test('is 404 for an unknown ID or another account', async () => {
    const accounts = await listAllOnOnePage<{ id: string }>('/v1/accounts')
    const [own, other] = await Promise.all(
      accounts
        .slice(0, 2)
        .map(({ id }) =>
          listAllOnOnePage<FundingEventSummary>('/v1/funding_events', { 'service-account-id': id }),
        ),
    )
    const [event] = own ?? []
    expect((other ?? []).length).toBeGreaterThan(0)
    expect(listIds(other ?? [])).not.toContain(event?.id)
    for (const path of ['funding_events', 'funding_event_payments']) {
      const readEventOfAccount = (id: string, account: string) =>
        client().ask(`/v1/${path}/${id}`, { headers: { 'service-account-id': account } })
      expect((await readEventOfAccount(event?.id ?? '', accounts[0]?.id ?? '')).status).toBe(200)
      expect((await readEventOfAccount(event?.id ?? '', accounts[1]?.id ?? '')).status).toBe(404)
      expect(
        (await readEventOfAccount('00000000-0000-7000-8000-000000000000', accounts[0]?.id ?? ''))
          .status,
      ).toBe(404)
      expect((await client().ask(`/v1/${path}/nonsense`)).status).toBe(400)
    }
  })
})

describe('the payments of a funding event', () => {
  test('can be paged and sorted, contain metadata on request, and match the payments search', async () => {
    const [event] = await listFundingEvents('sort_by=amount&sort_order=desc')
    const path = `/v1/funding_event_payments/${event?.id}`
    const lines = await listFundingLines(event?.id ?? '')
    expect(lines.length).toBeGreaterThan(1)
    expect(
      listIds(await listAllOnOnePage<ListedPayment>(`/v1/payments?funding_id=${event?.id}`)),
    ).toEqual(listIds(lines))
    const newestLineResponse = await client().ask(
      `${path}?page_size=1&sort_by=created_at&sort_order=desc&include_metadata=true`,
    )
    expect(newestLineResponse.json.data).toMatchObject([
      { id: lines.at(-1)?.id, metadata: expect.any(Object) },
    ])
    expect(newestLineResponse.json.meta).toMatchObject({ total_items: lines.length })
    expect(Object.keys(lines[0] ?? {})).not.toContain('metadata')
    expect((await client().ask(`${path}?sort_by=amount`)).status).toBe(400)
  })

  test('include those that it reversed', async () => {
    const [reversed] = await listAllOnOnePage<ListedPayment>('/v1/payments?payment_status=reversed')
    for (const funding of reversed?.funding_ids ?? []) {
      expect(
        listIds(await listAllOnOnePage<ListedPayment>(`/v1/payments?funding_id=${funding}`)),
      ).toContain(reversed?.id)
      expect(await listFundingLines(funding)).toEqual(
        expect.arrayContaining([expect.objectContaining({ id: reversed?.id })]),
      )
    }
    expect(
      await listAllOnOnePage('/v1/payments?funding_id=00000000-0000-7000-8000-000000000000'),
    ).toEqual([])
  })
})
