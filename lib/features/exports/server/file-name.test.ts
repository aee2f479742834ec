import { expect, test } from 'vitest'
import { formatExportFileName } from './file-name'

test.each([
  [{}, 'payments-sandbox-2026-11-29.csv'],
  [{ sort_by: 'amount', sort_order: 'asc' }, 'payments-sandbox-2026-11-29.csv'],
  [
    { payment_status: 'failed,reversed', min_amount: '100050' },
    'payments-sandbox-min-amount-1000.50-payment-status-failed-reversed-2026-11-29.csv',
  ],
  [
    { min_created_at: '2026-11-25T05:00:00.000Z' },
    'payments-sandbox-min-created-at-2026-11-25-2026-11-29.csv',
  ],
  [
    { search_text: 'Ada Lovelace', customer_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f' },
    'payments-sandbox-customer-id-search-text-2026-11-29.csv',
  ],
])('the filters %j are in the file name', (filters, name) => {
  const now = new Date('2026-11-29T12:00:00Z')
  expect(formatExportFileName('payments', 'sandbox', filters, now)).toBe(name)
})
