import type { Role } from '@/lib/operations/define'

/**
 * The most rows of an export: a longer file is hard to use in a spreadsheet, and reading its rows
 * slows down other users.
 */
export const maxExportRows = 100_000

export const whyNotExport = (roles: readonly Role[]): string | null =>
  roles.some((role) => role !== 'viewer')
    ? null
    : 'Only an operator, a reviewer or an admin can export.'

/** `pluralNoun` is the plural noun for the rows. */
export function whyTooManyRows(rows: number, pluralNoun: string): string | null {
  if (rows <= maxExportRows) return null
  return `${rows.toLocaleString('en-US')} ${pluralNoun} match; a file holds at most ${maxExportRows.toLocaleString('en-US')}: narrow the filters`
}
