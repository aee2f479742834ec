import 'server-only'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Conditions that must all hold; what was not asked for is none. */
export type Conditions = readonly SQL[]

type Scalar = string | number | boolean

export const equals = (column: AnyColumn, value: Scalar | undefined): Conditions => (value === undefined ? [] : [sql`${column} = ${value}`])

/** One of several words; none at all asks for nothing. */
export function among(column: AnyColumn, values: readonly string[] | undefined): Conditions {
  if (!values || values.length === 0) return []
  const list = sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
  return [sql`${column} in (${list})`]
}

/** None of several words. */
export const notAmong = (column: AnyColumn, values: readonly string[]): Conditions =>
  among(column, values).map((condition) => sql`not ${condition}`)

/** Both bounds belong to it. */
export const between = <T extends string | number>(column: AnyColumn, from: T | undefined, to: T | undefined): Conditions => [
  ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
  ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
]

/** The service counts milliseconds; what is finer does not divide. */
const momentIn = (text: string | undefined): string | undefined => (text === undefined ? undefined : new Date(text).toISOString())

export const betweenTimes = (column: AnyColumn, from: string | undefined, to: string | undefined): Conditions =>
  between(column, momentIn(from), momentIn(to))

/** A flag that may be unknown: an older service does not say it, and who does not say it does not contradict. */
export const unlessContradicted = (column: AnyColumn, value: boolean | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} is not ${sql.raw(String(!value))}`]

/** An array that has a value among its own. */
export const having = (column: AnyColumn, value: string | undefined): Conditions =>
  value === undefined ? [] : [sql`${column} @> array[${value}]::${sql.raw(column.getSQLType())}`]

export const inside = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** A text somewhere within a column that is in small letters. */
export const containing = (column: AnyColumn, text: string | undefined): Conditions =>
  text ? [sql`${column} like ${inside(text.toLowerCase())}`] : []

export const typed = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)

/** Every word of a search somewhere within a column that is in small letters. */
export const containingAll = (column: AnyColumn, text: string | undefined): Conditions =>
  typed(text).flatMap((word) => containing(column, word))
