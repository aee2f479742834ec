import { expect, test } from 'vitest'
import type { PageContext } from '@/lib/client/page-context'
import { toRecordQueue } from './list-queue'
import { parseView } from './parse-view'
import type { ListSpec } from './spec'

const listSpec: ListSpec<'payments.search'> = {
  ...{
    resource: 'payouts',
    operation: 'payments.search',
    title: 'Payouts',
    one: 'payout',
    many: 'payouts',
  },
  tabs: [
    {
      id: 'hold',
      label: 'On hold',
      query: { payment_status: 'on_hold' },
      empty: '',
      queue: true,
      waits: 'on_hold',
    },
    { id: 'paid', label: 'Paid', query: { payment_status: 'paid' }, empty: '' },
  ],
  search: { name: 'search_text', placeholder: 'Name' },
  filters: {},
  columns: {},
  sorts: ['created_at'],
  order: 'desc',
}
const context = { environment: 'sandbox', account: null } as PageContext
const row = { id: 'p1', account: null }

const buildQueue = (search: Record<string, string>, total: number | null, unreadable = 0) =>
  toRecordQueue(context, listSpec, parseView(listSpec, search), {
    ...{ ok: true, rows: [row], names: ['Wei Okafor · 2,587.00'], total, readAt: '' },
    unreadable: Array.from(
      { length: unreadable },
      (_, at) => ({ at, id: null, reason: 'shape' }) as never,
    ),
  })

test('contains the row names and the status they wait in', () => {
  expect(buildQueue({}, 1)).toMatchObject({
    rows: [{ id: 'p1', name: 'Wei Okafor · 2,587.00' }],
    waits: 'on_hold',
    onward: null,
    again: null,
  })
})

test('a queue names a row by its kind and the end of its ID if it has no name', () => {
  const rows = [{ id: '0192-abcdef', account: null }]
  const listRead = { ok: true, rows, total: 1, readAt: '', unreadable: [] } as const
  expect(toRecordQueue(context, listSpec, parseView(listSpec, {}), listRead)?.rows).toEqual([
    { id: '0192-abcdef', name: 'payout …abcdef' },
  ])
})

test('a queue continues with the next page and, after the last page, with the first', () => {
  expect(buildQueue({ size: '1' }, 2)?.onward?.href).toBe(
    '/sandbox/payouts?page=2&size=1&open=first',
  )
  expect(buildQueue({ size: '1', page: '2' }, 2)).toMatchObject({
    onward: null,
    again: { href: '/sandbox/payouts?size=1&open=first' },
  })
  expect(buildQueue({ size: '1' }, null)?.onward).not.toBeNull()
})

test('there is no queue for a tab without waiting rows', () => {
  expect(buildQueue({ tab: 'paid' }, 1)).toBeNull()
})

test('calls a queue clear only where nothing is hidden', () => {
  expect(buildQueue({}, 1)?.end).toMatch(/^All caught up/)
  expect(buildQueue({}, 2, 1)?.end).toBe('No other payout here is readable.')
  expect(buildQueue({ search_text: 'x' }, 1)?.end).toBe('No other payout matches these filters.')
  expect(
    toRecordQueue(context, listSpec, parseView(listSpec, {}), {
      ok: false,
      error: {} as never,
      requestId: '',
    }),
  ).toBeNull()
})
