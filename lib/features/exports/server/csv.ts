import 'server-only'
import { maxExportRows, whyTooManyRows } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import { getDateFormat } from '@/lib/formats'
import { formatMinorUnits, toMinorUnits } from '@/lib/money'
import { getUnreadableFields, notReadableText, type UnreadableRow } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { formatCsvLines } from '@/lib/server/http/csv-lines'

/**
 * The values, besides the item, from which the cells of a row are made: the row's account (an id
 * without `acct_`, null if unknown), the names of accounts, the IANA time zone, and the formatter
 * of local times.
 */
export type CellContext = {
  account: string | null
  nameOf: (accountId: string) => string
  zone: string
  local: (iso: string) => string
}

/**
 * One or more adjacent columns of a file. Header and cells are defined together, so that they
 * always match.
 */
export type ExportColumn<Item> = {
  heads: (zone: string) => readonly string[]
  cells: (item: Item, context: CellContext) => readonly unknown[]
}

export const createTextColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | number | null | undefined,
): ExportColumn<Item> => ({
  heads: () => [head],
  cells: (item) => [getValue(item)],
})

/**
 * Returns the column of a flag. The cell of an unknown flag is empty, because unknown does not mean
 * "no".
 */
export const createYesNoColumn = <Item>(
  head: string,
  getValue: (item: Item) => boolean | undefined,
): ExportColumn<Item> =>
  createTextColumn(
    head,
    (item) => ({ true: 'yes', false: 'no', undefined: '' })[`${getValue(item)}`],
  )

/**
 * Returns the columns of an instant: in UTC as the service writes it, and in the person's time
 * zone, unless that is UTC.
 */
export const createTimeColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | null | undefined,
): ExportColumn<Item> => ({
  heads: (zone) => (zone === 'UTC' ? [`${head}_utc`] : [`${head}_utc`, `${head} ${zone}`]),
  cells: (item, { zone, local }) => {
    const iso = getValue(item) ?? ''
    return zone === 'UTC' ? [iso] : [iso, Number.isNaN(Date.parse(iso)) ? '' : local(iso)]
  },
})

/** Returns whole cents as a number like `-1234.50`, with which a spreadsheet can calculate. */
export const formatPlainAmount = (cents: number): string =>
  formatMinorUnits(cents).replaceAll(',', '').replace('−', '-')

/**
 * Returns two columns: whole cents, and the amount as a plain number. A value that cannot be parsed
 * in the service's unit is written unchanged into the first, and the second stays empty.
 */
export const createMoneyColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | undefined,
): ExportColumn<Item> => ({
  heads: () => [`${head}_cents`, head],
  cells: (item) => {
    const cents = toMinorUnits(getValue(item), env().amountUnit)
    return cents === null ? [getValue(item), ''] : [cents, formatPlainAmount(cents)]
  },
})

/** Cell text for the account of a row if it is not known. */
const unknownAccountText = 'not yet known'

/**
 * Returns the columns for the account of a row: id and name. By default, it is the account in the
 * row's context. For items that contain their account, pass a function that returns its id; null
 * then means the platform.
 */
export const createAccountColumn = <Item>(
  getAccountId?: (item: Item) => string | null | undefined,
): ExportColumn<Item> => ({
  heads: () => ['account', 'account_name'],
  cells: (item, { account: found, nameOf }) => {
    const id = getAccountId ? getAccountId(item) : found
    if (id) return [formatAccountId(id), nameOf(id)]
    return getAccountId ? ['', 'the platform'] : [unknownAccountText, unknownAccountText]
  },
})

/**
 * Returns the header cells. The last column lists the fields of a row that could not be parsed; the
 * cells of those fields are empty.
 */
const listHeadCells = (columns: readonly ExportColumn<never>[], zone: string) => [
  ...columns.flatMap((column) => column.heads(zone)),
  'not_readable',
]

/**
 * Returns the header line. It begins with the byte order mark by which spreadsheets detect UTF-8.
 */
export const formatFileHead = (columns: readonly ExportColumn<never>[], zone: string): string =>
  `\uFEFF${formatCsvLines([listHeadCells(columns, zone)])}`

export function formatFileLines<Item>(
  columns: readonly ExportColumn<Item>[],
  items: readonly Item[],
  getContext: (item: Item) => CellContext,
): string {
  if (items.length === 0) return ''
  const rows = items.map((item) => {
    const context = getContext(item)
    const unreadableFields = getUnreadableFields(item).map(({ field }) => field)
    return [...columns.flatMap((column) => column.cells(item, context)), unreadableFields.join(' ')]
  })
  return formatCsvLines(rows)
}

/**
 * Returns lines for rows that could not be parsed, with their ids only. The second cell must be
 * empty and the third must be `notReadableText`: this is how `createRecordCounter` in the browser
 * detects such a line.
 */
export function formatUnreadableLines(
  columns: readonly ExportColumn<never>[],
  rows: readonly UnreadableRow[],
  zone: string,
): string {
  if (rows.length === 0) return ''
  const cellCount = listHeadCells(columns, zone).length
  return formatCsvLines(
    rows.map(({ id }) => [
      id ?? 'no id',
      '',
      notReadableText,
      ...Array.from({ length: cellCount - 4 }, () => ''),
      notReadableText,
    ]),
  )
}

/** Returns a function that formats instants as `2026-03-31 14:05:00` in a valid time zone. */
export function createLocalTimeFormatter(zone: string): (iso: string) => string {
  const format = getDateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (iso) => format.format(new Date(iso))
}

/**
 * Rows per read. The number is low, because the embedded database cannot serve other requests
 * during a read.
 */
export const exportPageSize = 200

/**
 * A request for an export file. `filters` contains the query fields; the function that opens the
 * list parses them.
 */
export type ExportRequest = {
  actor: Actor
  environment: Environment
  account: string | null
  filters: Record<string, unknown>
}

/**
 * Returns a page of Paydesk's own data, in which all rows are readable. `accountOf` returns null,
 * because each item contains its account.
 */
export const toExportPage = (items: readonly unknown[], isFull: boolean): ExportPage => ({
  items: items as readonly never[],
  unreadable: [],
  accountOf: () => null,
  isFull,
})

/**
 * A page of a list with the account of each row (an id without `acct_`, null if unknown). `isFull`:
 * another page may follow.
 */
export type ExportPage = {
  items: readonly never[]
  unreadable: readonly UnreadableRow[]
  accountOf: (item: never) => string | null
  isFull: boolean
}

/**
 * A list that was opened for export. `many` is the plural noun for its rows. `promised` is the
 * number of matching rows, null if unknown. `accountId` is the account of the filter (an id without
 * `acct_`). `nameOf` returns the names of the accounts that the person may see.
 */
export type ExportSource = {
  many: string
  columns: readonly ExportColumn<never>[]
  accountId: string | null
  nameOf: (accountId: string) => string
  promised: number | null
  nextPage: (signal: AbortSignal) => Promise<ExportPage>
}

/**
 * The number of rows in a file (`written`). It includes the `unreadable` rows, of which the file
 * contains at most the id.
 */
export type WrittenCounts = { written: number; unreadable: number }

/** Returns the error for a list with too many rows for one file. */
export const createTooManyRowsError = (rowCount: number, pluralNoun: string) =>
  new AppError('too_large', whyTooManyRows(rowCount, pluralNoun) ?? undefined)

/**
 * Yields the lines of a file, page by page. If rows are added during the export, it stops at most
 * one page after the promised number of rows. If no number was promised and the file gets too
 * large, throws an error, because a truncated file would look complete.
 */
export async function* generateFileLines(
  source: ExportSource,
  zone: string,
  signal: AbortSignal,
): AsyncGenerator<string, WrittenCounts> {
  const { columns, promised, nameOf } = source
  const formatLocalTime = createLocalTimeFormatter(zone)
  yield formatFileHead(columns, zone)
  const writtenCounts: WrittenCounts = { written: 0, unreadable: 0 }
  while (writtenCounts.written < (promised ?? maxExportRows) + exportPageSize) {
    const { items, unreadable, accountOf, isFull } = await source.nextPage(signal)
    const lines = formatFileLines(columns, items, (item) => ({
      account: accountOf(item),
      nameOf,
      zone,
      local: formatLocalTime,
    }))
    const unreadableText = formatUnreadableLines(columns, unreadable, zone)
    if (lines !== '' || unreadableText !== '') yield lines + unreadableText
    writtenCounts.written += items.length + unreadable.length
    writtenCounts.unreadable += unreadable.length
    if (!isFull) return writtenCounts
  }
  if (promised === null) throw createTooManyRowsError(writtenCounts.written, source.many)
  return writtenCounts
}
