import 'server-only'
import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet would run. A plain negative number is none, and has to add up. */
const isFormula = (value: unknown) => typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) && !/^-\d+(\.\d+)?$/.test(value)

/** Values as RFC 4180 lines. What a spreadsheet would run begins with an apostrophe: names and descriptions are written by strangers. */
export const csvLines = (rows: readonly unknown[][]): string =>
  stringify(
    rows.map((row) => row.map((value) => (isFormula(value) ? `'${value}` : value))),
    { record_delimiter: 'windows' },
  )
