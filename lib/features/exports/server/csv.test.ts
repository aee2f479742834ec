import { expect, test } from 'vitest'
import {
  type CellContext,
  createAccountColumn,
  createLocalTimeFormatter,
  createTextColumn,
  createTimeColumn,
  createYesNoColumn,
  type ExportColumn,
  formatFileHead,
  formatFileLines,
  formatUnreadableLines,
} from './csv'

type Item = { id: string; name: string; at?: string; flag?: boolean }

const columns: readonly ExportColumn<Item>[] = [
  createTextColumn('id', ({ id }) => id),
  createTextColumn('name', ({ name }) => name),
  createYesNoColumn('flag', ({ flag }) => flag),
  createAccountColumn(),
  createTimeColumn('at', ({ at }) => at),
]

const createCellContext = (zone: string, accountId: string | null = null): CellContext => ({
  account: accountId,
  nameOf: () => 'Acme',
  zone,
  local: createLocalTimeFormatter(zone),
})

const formatLine = (item: Item, zone = 'UTC', accountId: string | null = null) =>
  formatFileLines(columns, [item], () => createCellContext(zone, accountId)).trimEnd()

test.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '＝1'])(
  '%j is escaped against spreadsheet formulas',
  (name) => {
    expect(formatLine({ id: '1', name })).toContain(`'${name}`)
  },
)

test.each(['-12.50', '-1250', '0', 'a-b'])('%s is not a formula and stays unchanged', (name) => {
  expect(formatLine({ id: '1', name })).toBe(`1,${name},,not yet known,not yet known,,`)
})

test('a row contains its account’s ID and name', () => {
  expect(formatLine({ id: '1', name: 'a', flag: false }, 'UTC', 'x')).toBe('1,a,no,acct_x,Acme,,')
})

test('a time is written in UTC and in the person’s zone, or only once if both are UTC', () => {
  const item = { id: '1', name: 'a', at: '2026-11-22T17:00:00Z' }
  expect(formatFileHead(columns, 'America/New_York')).toContain(
    ',at_utc,at America/New_York,not_readable',
  )
  expect(formatLine(item, 'America/New_York')).toContain(
    ',2026-11-22T17:00:00Z,2026-11-22 12:00:00,',
  )
  expect(formatFileHead(columns, 'UTC')).toContain(',account_name,at_utc,not_readable')
  expect(formatLine(item)).toMatch(/known,2026-11-22T17:00:00Z,$/)
})

test('an unreadable row has as many columns as the head in every zone', () => {
  for (const zone of ['UTC', 'America/New_York']) {
    const [head = '', row = ''] = [
      formatFileHead(columns, zone),
      formatUnreadableLines(columns, [{ id: null, raw: '' }], zone),
    ]
    expect(row).toMatch(/^no id,,Not readable,.*Not readable\r\n$/)
    expect(row.split(',')).toHaveLength(head.split(',').length)
  }
})

test('unreadable fields are listed in the last column', () => {
  const item = { id: '1', name: 'a', unreadable: [{ field: 'amount', raw: '{}' }] }
  expect(formatLine(item)).toMatch(/,amount$/)
})
