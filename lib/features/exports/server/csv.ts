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

/** In place of the account's id, for an object of the platform. */
export const platformOwner = 'platform'

/** `account` is an id without `acct_`, `platformOwner`, or null if unknown. `zone` is an IANA name. */
export type CellContext = {
  account: string | null
  nameOf: (accountId: string) => string
  zone: string
  local: (iso: string) => string
}

/** Header and cells are defined together, so that they always match. */
export type ExportColumn<Item> = {
  name: string
  heads: (zone: string) => readonly string[]
  cells: (item: Item, context: CellContext) => readonly unknown[]
}

export const createTextColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | number | null | undefined,
): ExportColumn<Item> => ({
  name: head,
  heads: () => [head],
  cells: (item) => [getValue(item)],
})

/** The cell of an unknown flag is empty, because unknown does not mean "no". */
export const createYesNoColumn = <Item>(
  head: string,
  getValue: (item: Item) => boolean | undefined,
): ExportColumn<Item> =>
  createTextColumn(
    head,
    (item) => ({ true: 'yes', false: 'no', undefined: '' })[`${getValue(item)}`],
  )

/** In UTC as the service writes it, and in the person's time zone unless that is UTC. */
export const createTimeColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | null | undefined,
): ExportColumn<Item> => ({
  name: head,
  heads: (zone) => (zone === 'UTC' ? [`${head}_utc`] : [`${head}_utc`, `${head} ${zone}`]),
  cells: (item, { zone, local }) => {
    const iso = getValue(item) ?? ''
    return zone === 'UTC' ? [iso] : [iso, Number.isNaN(Date.parse(iso)) ? '' : local(iso)]
  },
})

/** Like `-1234.50`, with which a spreadsheet can calculate. */
export const formatPlainAmount = (cents: number): string =>
  formatMinorUnits(cents).replaceAll(',', '').replace('−', '-')

/** An amount that cannot be parsed is unchanged in the first column; the second stays empty. */
export const createMoneyColumn = <Item>(
  head: string,
  getValue: (item: Item) => string | undefined,
): ExportColumn<Item> => ({
  name: head,
  heads: () => [`${head}_cents`, head],
  cells: (item) => {
    const cents = toMinorUnits(getValue(item), env().amountUnit)
    return cents === null ? [getValue(item), ''] : [cents, formatPlainAmount(cents)]
  },
})

const unknownAccountText = 'not yet known'

/**
 * Without `getAccountId`, the column has the account of the row's context. A null id means the
 * platform.
 */
export const createAccountColumn = <Item>(
  getAccountId?: (item: Item) => string | null | undefined,
): ExportColumn<Item> => ({
  name: 'account',
  heads: () => ['account', 'account_name'],
  cells: (item, { account: found, nameOf }) => {
    const id = getAccountId ? getAccountId(item) : found
    if (id && id !== platformOwner) return [formatAccountId(id), nameOf(id)]
    return getAccountId || id ? ['', 'the platform'] : [unknownAccountText, unknownAccountText]
  },
})

/** The last column lists the fields that could not be parsed; their cells are empty. */
const listHeadCells = (columns: readonly ExportColumn<never>[], zone: string) => [
  ...columns.flatMap((column) => column.heads(zone)),
  'not_readable',
]

/** Begins with the byte order mark by which spreadsheets detect UTF-8. */
export const formatFileHead = (columns: readonly ExportColumn<never>[], zone: string): string =>
  `\uFEFF${formatCsvLines([listHeadCells(columns, zone)])}`

export function formatFileLines<Item>(
  columns: readonly ExportColumn<Item>[],
  items: readonly Item[],
  getContext: (item: Item) => CellContext,
): string {
  if (items.length === 0) return ''
  const csvRows = items.map((item) => {
    const cellContext = getContext(item)
    const unreadableFields = getUnreadableFields(item).map(({ field }) => field)
    return [
      ...columns.flatMap((column) => column.cells(item, cellContext)),
      unreadableFields.join(' '),
    ]
  })
  return formatCsvLines(csvRows)
}

/**
 * The second cell must be empty and the third must be `notReadableText`: this is how
 * `createRecordCounter` in the browser detects such a line.
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
  const localTimeFormat = getDateFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (iso) => localTimeFormat.format(new Date(iso))
}

/** Rows per read. Low, because the embedded database serves no other request during a read. */
export const exportPageSize = 200

/** `filters` are unparsed query fields: the function that opens the list parses them. */
export type ExportRequest = {
  actor: Actor
  environment: Environment
  account: string | null
  filters: Record<string, unknown>
}

/** For Paydesk's own data: all rows are readable, and each item contains its account. */
export const toExportPage = (items: readonly unknown[], isFull: boolean): ExportPage => ({
  items: items as readonly never[],
  unreadable: [],
  accountOf: () => null,
  isFull,
})

/** `accountOf` returns an id without `acct_`, `platformOwner`, or null if unknown. `isFull`: a page may follow. */
export type ExportPage = {
  items: readonly never[]
  unreadable: readonly UnreadableRow[]
  accountOf: (item: never) => string | null
  isFull: boolean
}

/**
 * `many` is the plural noun for the rows. `promised` is the number of matching rows, null if
 * unknown. `accountId` is the account of the filter (an id without `acct_`).
 */
export type ExportSource = {
  many: string
  columns: readonly ExportColumn<never>[]
  accountId: string | null
  nameOf: (accountId: string) => string
  promised: number | null
  nextPage: (signal: AbortSignal) => Promise<ExportPage>
}

/** `written` includes the `unreadable` rows, of which the file has at most the id. */
export type WrittenCounts = { written: number; unreadable: number }

export const createTooManyRowsError = (rowCount: number, pluralNoun: string) =>
  new AppError('too_large', whyTooManyRows(rowCount, pluralNoun) ?? undefined)

/**
 * If rows are added during the export, stops at most one page after the promised number. Throws if
 * an export without a promised number gets too large: a truncated file would look complete.
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
    const fileLines = formatFileLines(columns, items, (item) => ({
      account: accountOf(item),
      nameOf,
      zone,
      local: formatLocalTime,
    }))
    const unreadableText = formatUnreadableLines(columns, unreadable, zone)
    if (fileLines !== '' || unreadableText !== '') yield fileLines + unreadableText
    writtenCounts.written += items.length + unreadable.length
    writtenCounts.unreadable += unreadable.length
    if (!isFull) return writtenCounts
  }
  if (promised === null) throw createTooManyRowsError(writtenCounts.written, source.many)
  return writtenCounts
}
