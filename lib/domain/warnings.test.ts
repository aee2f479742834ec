import { expect, test } from 'vitest'
import { getLastReturnDay, listRefundWarnings } from '@/lib/features/payments/form'
import {
  findUnconfirmedWarnings,
  formatWarning,
  parseWarning,
  parseWarningErrorItems,
  toAlthoughClause,
  toWarningErrorItems,
  toWarningName,
  type Warning,
} from './warnings'

const limitWarning: Warning = { code: 'limit_single_warn', detail: '8700' }
const documentsWarning: Warning = { code: 'documents_warn' }

test('each warning is a sentence to tick, and all of them are the end of the decision’s sentence', () => {
  expect([limitWarning, documentsWarning].map(formatWarning)).toEqual([
    'The payment is over the single-payment limit by $87.00.',
    'No proof is on file.',
  ])
  expect(toAlthoughClause([limitWarning, documentsWarning])).toBe(
    'although the payment is over the single-payment limit by $87.00 and no proof is on file',
  )
  expect(
    toAlthoughClause([limitWarning, { code: 'duplicates_warn', detail: '2' }, documentsWarning]),
  ).toBe(
    'although the payment is over the single-payment limit by $87.00, 2 other payments of the same amount were found and no proof is on file',
  )
  expect(toAlthoughClause([])).toBe('')
  // With `unblock_cause` the person states that something is true. It is not a risk that they
  // accept, so it adds no "although" clause.
  expect(toAlthoughClause([{ code: 'unblock_cause' }])).toBe('')
})

test.each([
  'paykey_unknown',
  'customer_unknown',
  'limit_single_unknown',
  'limit_day_unknown',
  'limit_month_unknown',
  'duplicates_unknown',
  'approve_names:unknown',
  'approve_customer:unknown',
  'approve_expiry:unknown',
  'approve_alike:unknown',
])('%s is a sentence, and can follow "although"', (name) => {
  const warning = parseWarning(name) as Warning
  expect(formatWarning(warning)).toMatch(/^[A-Z].*\.$/)
  expect(toAlthoughClause([warning])).toMatch(/^although [a-z]/)
})

test('a warning converts to its name and back without loss', () => {
  for (const warning of [limitWarning, documentsWarning])
    expect(parseWarning(toWarningName(warning))).toEqual(warning)
  expect(parseWarningErrorItems(toWarningErrorItems([limitWarning, documentsWarning]))).toEqual([
    limitWarning,
    documentsWarning,
  ])
  expect(
    parseWarningErrorItems([
      { reference: 'reason', detail: 'x' },
      { reference: 'warnings.made_up', detail: 'x' },
    ]),
  ).toEqual([])
})

test.each([
  'made_up',
  'constructor',
  '__proto__',
  'documents_warn:ada@example.com',
  'limit_single_warn',
  'limit_single_warn:',
  'limit_single_warn:1:2',
  'limit_single_warn:-1',
  'limit_single_warn:9999999999999',
  'customer_warn:Ada Lovelace',
  'return_first:R10<script>',
  'returnable:tomorrow',
  '',
])('%j is not a warning', (name) => {
  expect(parseWarning(name)).toBeNull()
})

test('returns unticked warnings; a changed amount needs a new tick, unless it is a sum', () => {
  expect(findUnconfirmedWarnings([limitWarning, documentsWarning], [documentsWarning])).toEqual([
    limitWarning,
  ])
  expect(findUnconfirmedWarnings([limitWarning], [{ ...limitWarning, detail: '8600' }])).toEqual([
    limitWarning,
  ])
  expect(
    findUnconfirmedWarnings(
      [{ code: 'limit_day_warn', detail: '5' }],
      [{ code: 'limit_day_warn', detail: '4' }],
    ),
  ).toEqual([])
})

const toMilliseconds = (iso: string) => Date.parse(iso)

test.each([
  ['a Tuesday', { effective_at: '2026-03-31T15:00:00Z' }, '2026-04-02'],
  ['a Friday', { effective_at: '2026-03-27T15:00:00Z' }, '2026-03-31'],
  ['the day before a holiday', { effective_at: '2026-11-25T15:00:00Z' }, '2026-11-30'],
  ['late in the evening of New York', { effective_at: '2026-04-01T02:00:00Z' }, '2026-04-02'],
  ['its payment date, a Saturday', { payment_date: '2026-03-28' }, '2026-04-01'],
  ['no day that is known', {}, null],
])('a debit that settled on %s is returnable for two banking days', (_, payment, until) => {
  expect(
    getLastReturnDay({
      effective_at: undefined,
      processed_at: undefined,
      payment_date: undefined,
      ...payment,
    }),
  ).toBe(until)
})

test('a refund requires a tick while the bank can return the charge', () => {
  const charge = {
    effective_at: '2026-03-31T15:00:00Z',
    processed_at: undefined,
    payment_date: undefined,
  }
  expect(
    listRefundWarnings(charge, toMilliseconds('2026-04-02T23:00:00Z')).map(formatWarning),
  ).toEqual(['The bank can still return the charge until Apr 2, 2026.'])
  expect(listRefundWarnings(charge, toMilliseconds('2026-04-03T12:00:00Z'))).toEqual([])
  expect(
    listRefundWarnings(
      { ...charge, effective_at: undefined },
      toMilliseconds('2026-04-03T12:00:00Z'),
    ),
  ).toEqual([{ code: 'returnable_unknown' }])
})
