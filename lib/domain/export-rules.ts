import type { Role } from '@/lib/operations/define'

/**
 * Maximum rows of an export. Spreadsheets fail to open more rows, and reading more pages would slow
 * down other users.
 */
export const maxExportRows = 100_000

/**
 * Returns a sentence that says why a person with these roles cannot export a list; null if they
 * can.
 */
export const whyNoExport = (roles: readonly Role[]): string | null =>
  roles.some((role) => role !== 'viewer')
    ? null
    : 'Only an operator, a reviewer or an admin can export.'

/**
 * Returns a sentence that says why a list is too long to export; null if it is not. `many` is the
 * plural noun for its rows.
 */
export function whyTooManyRows(rows: number, many: string): string | null {
  if (rows <= maxExportRows) return null
  return `${rows.toLocaleString('en-US')} ${many} match; a file holds at most ${maxExportRows.toLocaleString('en-US')}: narrow the filters`
}
