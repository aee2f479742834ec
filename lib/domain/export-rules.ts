import type { Role } from '@/lib/operations/define'

/** Rows of one file at most: beyond that a spreadsheet gives up, and so many pages would starve the people at work. */
export const mostExportRows = 100_000

/** Why roles do not allow to take a list away as a file, as a sentence; null where one of them does. */
export const whyNoExport = (held: readonly Role[]): string | null =>
  held.some((role) => role !== 'viewer') ? null : 'Only an operator, a reviewer or an admin can export.'

/** Why a list is too long for one file, as a sentence; null where it is not. `many` names its rows. */
export function whyTooMany(rows: number, many: string): string | null {
  if (rows <= mostExportRows) return null
  return `${rows.toLocaleString('en-US')} ${many} match; a file holds at most ${mostExportRows.toLocaleString('en-US')}: narrow the filters`
}
