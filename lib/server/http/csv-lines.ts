import 'server-only'
import { stringify } from 'csv-stringify/sync'

/**
 * True if a spreadsheet would run the value as a formula. A plain negative number is not one, so
 * that it stays a number for sums.
 */
const isFormula = (value: unknown) =>
  typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-\d+(\.\d+)?$/.test(value)

/** RFC 4180. Anyone can choose names, so a formula gets a leading apostrophe and does not run. */
export const formatCsvLines = (rows: readonly unknown[][]): string =>
  stringify(
    rows.map((row) => row.map((value) => (isFormula(value) ? `'${value}` : value))),
    { record_delimiter: 'windows' },
  )
