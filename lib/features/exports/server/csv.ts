import 'server-only'
import { mostExportRows, whyTooMany } from '@/lib/domain/export-rules'
import { AppError } from '@/lib/errors'
import { dateFormat } from '@/lib/formats'
import { formatMinor, minorUnits } from '@/lib/money'
import { notReadable, type UnreadableRow, unreadableIn } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { accountText } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { env } from '@/lib/server/config/env'
import { csvLines } from '@/lib/server/http/csv-lines'

/** What a line says beside its item: the account (a bare id) as far as it is known, accounts' names, and the zone of local times (IANA). */
export type RowContext = {
  account: string | null
  nameOf: (accountId: string) => string
  zone: string
  local: (iso: string) => string
}

/** One or more neighboring columns of a file. A list's file is a row of these, so that heads and cells cannot part. */
export type ExportColumn<Item> = {
  heads: (zone: string) => readonly string[]
  cells: (item: Item, context: RowContext) => readonly unknown[]
}

export const text = <Item>(head: string, of: (item: Item) => string | number | null | undefined): ExportColumn<Item> => ({
  heads: () => [head],
  cells: (item) => [of(item)],
})

/** A column of a flag; an unknown one is empty, which is not "no". */
export const yesNo = <Item>(head: string, of: (item: Item) => boolean | undefined): ExportColumn<Item> =>
  text(head, (item) => ({ true: 'yes', false: 'no', undefined: '' })[`${of(item)}`])

/** An instant in UTC, as the service writes it, and on the reader's clock; a reader on UTC gets it once. */
export const moment = <Item>(head: string, of: (item: Item) => string | null | undefined): ExportColumn<Item> => ({
  heads: (zone) => (zone === 'UTC' ? [`${head}_utc`] : [`${head}_utc`, `${head} ${zone}`]),
  cells: (item, { zone, local }) => {
    const iso = of(item) ?? ''
    return zone === 'UTC' ? [iso] : [iso, Number.isNaN(Date.parse(iso)) ? '' : local(iso)]
  },
})

/** Whole cents as an amount that a spreadsheet adds up. */
export const plainAmount = (cents: number): string => formatMinor(cents).replaceAll(',', '').replace('−', '-')

/** Whole cents and the amount, plain enough to add up. What is no amount in the service's unit is shown as it came. */
export const money = <Item>(head: string, of: (item: Item) => string | undefined): ExportColumn<Item> => ({
  heads: () => [`${head}_cents`, head],
  cells: (item) => {
    const cents = minorUnits(of(item), env().amountUnit)
    return cents === null ? [of(item), ''] : [cents, plainAmount(cents)]
  },
})

/** What is written in place of an account that was not found. */
const notYetKnown = 'not yet known'

/** The account of a row by id and name. Items that name their account give it by `of`; null is the platform's own. */
export const account = <Item>(of?: (item: Item) => string | null | undefined): ExportColumn<Item> => ({
  heads: () => ['account', 'account_name'],
  cells: (item, { account: found, nameOf }) => {
    const id = of ? of(item) : found
    if (id) return [accountText(id), nameOf(id)]
    return of ? ['', 'the platform'] : [notYetKnown, notYetKnown]
  },
})

/** The last column of every file: the fields of a row that could not be read, which are empty then. */
const heads = (columns: readonly ExportColumn<never>[], zone: string) => [
  ...columns.flatMap((column) => column.heads(zone)),
  'not_readable',
]

/** The head of a file, with the mark by which spreadsheets know UTF-8. */
export const fileHead = (columns: readonly ExportColumn<never>[], zone: string): string => `\uFEFF${csvLines([heads(columns, zone)])}`

export function fileLines<Item>(
  columns: readonly ExportColumn<Item>[],
  items: readonly Item[],
  contextOf: (item: Item) => RowContext,
): string {
  if (items.length === 0) return ''
  const rows = items.map((item) => {
    const context = contextOf(item)
    const lost = unreadableIn(item).map(({ field }) => field)
    return [...columns.flatMap((column) => column.cells(item, context)), lost.join(' ')]
  })
  return csvLines(rows)
}

/** Rows that could not be read, as lines with their ids. The browser knows them by an empty second and that third value: see `recordCounter`. */
export function unreadableLines(columns: readonly ExportColumn<never>[], rows: readonly UnreadableRow[], zone: string): string {
  if (rows.length === 0) return ''
  const width = heads(columns, zone).length
  return csvLines(rows.map(({ id }) => [id ?? 'no id', '', notReadable, ...Array.from({ length: width - 4 }, () => ''), notReadable]))
}

/** Writes instants as `2026-03-31 14:05:00` in a zone, which is known to be one. */
export function clockOf(zone: string): (iso: string) => string {
  const format = dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (iso) => format.format(new Date(iso))
}

/** Rows read at once: few, because nothing else is served while an embedded store reads them. */
export const pageSize = 200

/** What somebody wants to have as a file: the fields of the query are the list's filters, read by whoever opens the list. */
export type ExportRequest = { actor: Actor; environment: Environment; account: string | null; filters: Record<string, unknown> }

/** A page that was read whole from our own store or adds up what others gave: it names its accounts itself and has no row that could not be read. */
export const ownPage = (items: readonly unknown[], isFull: boolean): SourcePage => ({
  items: items as readonly never[],
  unreadable: [],
  accountOf: () => null,
  isFull,
})

/** A page of a list with the account of each row (a bare id) as far as it is known. `isFull`: another may follow. */
export type SourcePage = {
  items: readonly never[]
  unreadable: readonly UnreadableRow[]
  accountOf: (item: never) => string | null
  isFull: boolean
}

/**
 * A list that somebody may have as a file. `promised` is null where nobody says how many rows match. `accountId` is the account it is narrowed to (a
 * bare id), `nameOf` names any of those the person sees.
 */
export type ExportSource = {
  many: string
  columns: readonly ExportColumn<never>[]
  accountId: string | null
  nameOf: (accountId: string) => string
  promised: number | null
  /** Reads the page after the one before. */
  nextPage: (signal: AbortSignal) => Promise<SourcePage>
}

/** Rows of a file, and how many of them could not be read and hold an id at most. */
export type Written = { written: number; unreadable: number }

/** The refusal of a list that is too long for one file. */
export const tooMany = (rows: number, many: string) => new AppError('too_large', whyTooMany(rows, many) ?? undefined)

/**
 * Writes page after page. What was promised and a page more is the most that is written; where nothing was, a file that would be too large breaks off,
 * because one that ends early looks whole.
 */
export async function* writeFile(source: ExportSource, zone: string, signal: AbortSignal): AsyncGenerator<string, Written> {
  const { columns, promised, nameOf } = source
  const local = clockOf(zone)
  yield fileHead(columns, zone)
  const end: Written = { written: 0, unreadable: 0 }
  while (end.written < (promised ?? mostExportRows) + pageSize) {
    const { items, unreadable, accountOf, isFull } = await source.nextPage(signal)
    const lines = fileLines(columns, items, (item) => ({ account: accountOf(item), nameOf, zone, local }))
    const lost = unreadableLines(columns, unreadable, zone)
    if (lines !== '' || lost !== '') yield lines + lost
    end.written += items.length + unreadable.length
    end.unreadable += unreadable.length
    if (!isFull) return end
  }
  if (promised === null) throw tooMany(end.written, source.many)
  return end
}
